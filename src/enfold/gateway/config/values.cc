// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/values.h"

#include "enfold/base/text.h"
#include "enfold/redact/key_names.h"
#include "enfold/redact/redact.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <system_error>
#include <tuple>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMaxFileSize = std::size_t{1} << 20;                   // bytes
constexpr std::chrono::milliseconds kMaxDuration = std::chrono::hours(720);  // 30 days

std::string without_line_end(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

std::chrono::milliseconds unit_of(std::string_view unit) {
  if (unit == "ms") return std::chrono::milliseconds(1);
  if (unit == "s") return std::chrono::seconds(1);
  return unit == "m" ? std::chrono::minutes(1) : std::chrono::hours(1);
}

}  // namespace

Result<std::string> read_small_file(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream input(file, std::ios::binary);
  const int problem = errno;
  const bool is_folder = std::filesystem::is_directory(file, ignored);
  if (!input.is_open() || is_folder) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a file that can be read: {}",
                            std::generic_category().message(is_folder ? EISDIR : problem)),
                file.string(), "check its name and its mode");
  }
  std::string text(kMaxFileSize + 1, '\0');
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(input.gcount()));
  if (text.size() <= kMaxFileSize) return text;
  return fail(ErrorCode::limit_exceeded,
              fmt::format("expected at most {} bytes, found more", kMaxFileSize), file.string(),
              "is this the right file?");
}

ConfigSources ConfigSources::of(const std::filesystem::path& config_file) {
  ConfigSources out;
  out.folder = config_file.parent_path();
  out.variable = [](const std::string& name) -> std::optional<std::string> {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  out.file = read_small_file;
  return out;
}

bool is_secret(std::string_view value, std::string_view key) {
  json::Writer writer;
  writer.begin_object().member(key.empty() ? "value" : key, value).end_object();
  const json::Value object = std::move(writer).finish_value();
  // With a name such as PASSWORD, even a value of plain words is a secret.
  redact::Policy policy;
  const auto sensitive = redact::classify_key(key, policy);
  const bool is_named_secret = sensitive && (sensitive->kind == redact::KeyKind::password ||
                                             sensitive->kind == redact::KeyKind::secret ||
                                             sensitive->kind == redact::KeyKind::token);
  if (is_named_secret) policy.extra_keys.emplace_back(key);
  const Result<redact::RedactionResult> redacted = redact::redact(object.view(), policy);
  return !redacted || redacted->count > 0;
}

std::string variable_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_alphanumeric(c)) {
      out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (out.ends_with('_')) out.pop_back();
  return out.empty() || (out[0] >= '0' && out[0] <= '9') ? "SECRET_" + out : out;
}

std::string name_after_flag(std::string_view argument) {
  const bool ends_options = argument == "--";  // a command follows
  const bool is_flag =
      argument.starts_with('-') && argument.find('=') == std::string_view::npos && !ends_options;
  return is_flag ? variable_name(argument) : std::string();
}

void ConfigValues::add_error(const std::string& pointer, const std::string& message,
                             std::string hint) {
  errors_.push_back({ErrorCode::invalid_input, dotted(pointer) + ": " + message,
                     text_.where(pointer), std::move(hint)});
}

void ConfigValues::add_error(const std::string& pointer, const Error& error) {
  const std::string about = error.where.empty() ? "" : fmt::format(" ({})", error.where);
  add_error(pointer, error.message + about, error.hint);
}

void ConfigValues::add_key_error(const std::string& pointer, std::string message,
                                 std::string hint) {
  errors_.push_back(
      {ErrorCode::invalid_input, std::move(message), text_.where_key(pointer), std::move(hint)});
}

std::string ConfigValues::text(const json::Value& value, const std::string& pointer,
                               const std::string& key) {
  if (value->is_string()) {
    std::string plain = value->string();
    if (is_secret(plain, key)) {
      add_error(pointer, "expected a reference to the secret, found the secret itself",
                fmt::format("write {{ env = \"{}\" }} or {{ file = \"PATH\" }}",
                            key.empty() ? "NAME" : key));
    }
    return plain;
  }
  if (!value->is_object()) {
    add_error(pointer, fmt::format("expected text or a table, found {}", json::name(value->kind())),
              "write \"text\", { env = \"NAME\" } or { file = \"PATH\" }");
    return {};
  }
  const json::Value schema = tools::input_schema_of<SecretConfig>();
  std::vector<Error> errors = check_against(schema, value.view(), pointer, text_);
  if (!errors.empty()) {
    errors_.insert(errors_.end(), errors.begin(), errors.end());
    return {};
  }
  std::vector<tools::Problem> ignored;  // check_against has found none
  return secret(tools::read_arguments<SecretConfig>(value.view(), ignored), pointer);
}

std::string ConfigValues::secret(const SecretConfig& from, const std::string& pointer) {
  if (from.env.has_value() == from.file.has_value()) {
    add_error(
        pointer,
        "expected one of env and file, found " + std::string(from.env ? "both" : "none of them"),
        "write { env = \"NAME\" } or { file = \"PATH\" }");
    return {};
  }
  if (from.env) {
    const std::optional<std::string> found = sources_.variable(*from.env);
    if (found) return from.prefix + *found;
    add_error(pointer, fmt::format("expected the environment variable {}, found none", *from.env),
              fmt::format("set it before the start: export {}=…", *from.env));
    return {};
  }
  Result<std::string> content = sources_.file(path(*from.file));
  if (content) return from.prefix + without_line_end(std::move(*content));
  add_error(pointer, content.error());
  return {};
}

std::chrono::milliseconds ConfigValues::duration(const std::string& value,
                                                 const std::string& pointer) {
  std::int64_t count = 0;
  const char* const end = value.data() + value.size();
  const char* const unit = std::from_chars(value.data(), end, count).ptr;
  const std::chrono::milliseconds unit_time = unit_of({unit, end});
  if (count <= kMaxDuration / unit_time) return unit_time * count;
  add_error(pointer, fmt::format("expected at most 720h, found {}", value),
            "choose a shorter time");
  return kMaxDuration;
}

bool ConfigValues::is_before(const std::string& pointer, const std::string& other) const {
  const auto a = text_.keys.find(pointer);
  const auto b = text_.keys.find(other);
  if (a == text_.keys.end() || b == text_.keys.end()) return false;
  return std::tie(a->second.line, a->second.column) < std::tie(b->second.line, b->second.column);
}

std::string ConfigValues::path(const std::string& value) const {
  return (sources_.folder / value).string();
}

}  // namespace enfold::gateway
