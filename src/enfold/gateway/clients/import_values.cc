// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/import_values.h"

#include "enfold/gateway/config/values.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace enfold::gateway {
namespace {

// Whether a variable describes the user's environment (folders, names), so that its value is no
// secret.
bool describes_environment(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames{"HOME",   "USER",  "LOGNAME", "PWD",
                                                   "TMPDIR", "SHELL", "LANG",    "HOSTNAME"};
  return std::ranges::find(kNames, name) != kNames.end() || name.starts_with("XDG_");
}

// A TOML table that refers to a variable or file. `source`: "env" or "file".
std::string reference(std::string_view source, const std::string& name, const std::string& prefix) {
  if (prefix.empty()) return fmt::format("{{ {} = {} }}", source, toml_string(name));
  return fmt::format("{{ {} = {}, prefix = {} }}", source, toml_string(name), toml_string(prefix));
}

}  // namespace

void ImportValues::use_file(const ClientSettings& settings) { settings_ = &settings; }

void ImportValues::reserve(json::View value) {
  const auto found = value.is_string() ? placeholder_of(value.string()) : std::nullopt;
  if (found && !found->is_file) secrets_.try_emplace(found->name, value.string());
  for (const json::View item : value.items()) reserve(item);
  for (const json::Member& member : value.members()) reserve(member.value);
}

std::string ImportValues::value(const std::string& text, const std::string& place,
                                const std::string& key, const std::string& variable) {
  if (const auto found = placeholder_of(text)) {
    if (found->is_file) {
      note_(fmt::format("{} is read from the file {}", place, found->name));
      return reference("file", found->name, found->prefix);
    }
    note_(fmt::format("{} is read from the variable {}", place, found->name));
    return ImportValues::variable(found->name, found->prefix);
  }
  const bool has_secret = std::ranges::any_of(
      split_variables(text, settings_->format().variables), [](const TextPiece& piece) {
        return piece.fallback && is_secret(*piece.fallback, piece.text);
      });
  if (!has_secret && !is_secret(text, key.empty() ? key : variable_name(key))) {
    return toml_string(resolved(text, place));
  }
  for (const std::string_view scheme : {"Bearer ", "Basic ", "token "}) {
    if (text.starts_with(scheme)) {
      return this->secret(text.substr(scheme.size()), variable, std::string(scheme), place);
    }
  }
  return this->secret(text, variable, "", place);
}

std::optional<ImportValues::Placeholder> ImportValues::placeholder_of(
    const std::string& text) const {
  const std::vector<TextPiece> pieces = split_variables(text, settings_->format().variables);
  if (pieces.empty() || pieces.size() > 2) return std::nullopt;
  if (pieces.size() == 2 && pieces[0].kind != TextPiece::Kind::text) return std::nullopt;
  const std::string prefix = pieces.size() == 2 ? pieces[0].text : std::string();
  const TextPiece& last = pieces.back();
  switch (last.kind) {
    case TextPiece::Kind::variable: {
      const auto value = value_of(last);
      // A reference has no fallback: where the fallback counts, it is the value.
      const bool is_fixed = describes_environment(last.text) || value == last.fallback;
      if (value && is_fixed) return std::nullopt;
      return Placeholder{prefix, last.text};
    }
    case TextPiece::Kind::input: return Placeholder{prefix, variable_name(last.text)};
    case TextPiece::Kind::file: return Placeholder{prefix, file_path(last.text), true};
    default: return std::nullopt;
  }
}

std::string ImportValues::file_path(const std::string& path) const {
  const auto home_folder = home();
  if (path.starts_with("~/") && home_folder) return *home_folder + path.substr(1);
  if (path.starts_with('/')) return path;
  return (options_.folder / std::filesystem::path(settings_->path()).parent_path() / path)
      .lexically_normal()
      .string();
}

std::optional<std::string> ImportValues::value_of(const TextPiece& piece) const {
  if (piece.kind == TextPiece::Kind::text) return piece.text;
  if (piece.kind == TextPiece::Kind::folder) {
    if (piece.text == "userHome") return home();
    const auto folder = (options_.folder / settings_->path()).lexically_normal().parent_path();
    if (!folder.is_absolute()) return std::nullopt;
    // .vscode, .cursor
    const bool is_settings_folder = folder.filename().string().starts_with('.');
    const std::string project = (is_settings_folder ? folder.parent_path() : folder).string();
    // Settings in the home folder are for all projects: the current folder is the project.
    return project == home() ? options_.folder.string() : project;
  }
  if (piece.kind != TextPiece::Kind::variable) return std::nullopt;
  auto value = options_.variable ? options_.variable(piece.text) : std::nullopt;
  if (!value) value = piece.fallback;
  return value && is_secret(*value, piece.text) ? std::nullopt : value;
}

std::string ImportValues::resolved(const std::string& text, const std::string& place) {
  std::string out;
  bool is_resolved = true;
  bool has_variable = false;
  for (const TextPiece& piece : split_variables(text, settings_->format().variables)) {
    const auto value = value_of(piece);
    is_resolved = is_resolved && value.has_value();
    has_variable = has_variable || piece.kind != TextPiece::Kind::text;
    if (value) out += *value;
  }
  if (!has_variable) return text;
  if (is_resolved) {
    note_(fmt::format("{} holds variables; imported with their present values", place));
    return out;
  }
  note_(fmt::format("{} holds a variable that only the client can resolve: edit it", place));
  return text;
}

std::string ImportValues::secret(const std::string& secret, const std::string& wanted,
                                 const std::string& prefix, const std::string& place) {
  std::string name = variable_name(wanted);
  for (std::size_t number = 1; secrets_.try_emplace(name, secret).first->second != secret;
       ++number) {
    name = variable_name(upstream_ + "_" + wanted);
    if (number > 1) name += fmt::format("_{}", number);
  }
  note_(fmt::format("{} is a secret and was not copied: set the variable {}", place, name));
  return ImportValues::variable(name, prefix);
}

std::string ImportValues::variable(const std::string& variable, const std::string& prefix) {
  return reference("env", variable, prefix);
}

std::optional<std::string> ImportValues::home() const {
  return value_of({TextPiece::Kind::variable, "HOME", {}});
}

}  // namespace enfold::gateway
