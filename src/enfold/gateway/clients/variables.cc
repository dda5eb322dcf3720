// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/variables.h"

#include "enfold/base/text.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

using Kind = TextPiece::Kind;

bool is_name_byte(char c) { return is_alphanumeric(c) || c == '_'; }

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, is_name_byte);
}

// Reads the text inside ${…}.
TextPiece read_braces(std::string_view inside, unsigned syntax) {
  const TextPiece unknown{Kind::unknown, "${" + std::string(inside) + "}", {}};
  const std::size_t colon = inside.find(':');
  const std::string_view word = inside.substr(0, colon);
  const std::string rest(colon == std::string_view::npos ? "" : inside.substr(colon + 1));
  if (word == "env" && (syntax & kEnv) != 0 && is_name(rest)) return {Kind::variable, rest, {}};
  if (word == "input" && (syntax & kInput) != 0 && !rest.empty()) return {Kind::input, rest, {}};
  if (word == "file" && (syntax & kFile) != 0 && !rest.empty()) return {Kind::file, rest, {}};
  const bool is_folder = inside == "userHome" || inside == "workspaceFolder";
  if (is_folder && (syntax & kFolders) != 0) return {Kind::folder, std::string(inside), {}};
  if ((syntax & kBraces) == 0 || !is_name(word)) return unknown;
  if (colon == std::string_view::npos) return {Kind::variable, std::string(word), {}};
  if (rest.starts_with('-')) return {Kind::variable, std::string(word), rest.substr(1)};
  return unknown;
}

// Reads the text inside {…}; unset: it is no variable.
std::optional<TextPiece> read_curly(std::string_view inside, unsigned syntax) {
  const auto after = [&](std::string_view prefix) {
    return inside.starts_with(prefix) ? inside.substr(prefix.size()) : std::string_view();
  };
  if ((syntax & kCurlyEnv) != 0 && is_name(after("env:"))) {
    return TextPiece{Kind::variable, std::string(after("env:")), {}};
  }
  if ((syntax & kCurlyFile) != 0 && !after("file:").empty()) {
    return TextPiece{Kind::file, std::string(after("file:")), {}};
  }
  return std::nullopt;
}

struct Found {
  TextPiece piece;
  std::size_t size = 0;  ///< bytes of the variable in the text
};

// The variable at the begin of `text`; unset: there is none.
std::optional<Found> variable_at(std::string_view text, unsigned syntax) {
  const bool has_braces = text.starts_with("${");
  if (has_braces || text.starts_with('{')) {
    const std::size_t begin = has_braces ? 2 : 1;
    const std::size_t end = text.find('}', begin);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text.substr(begin, end - begin);
    if (!has_braces) {
      auto piece = read_curly(inside, syntax);
      return piece ? std::optional(Found{std::move(*piece), end + 1}) : std::nullopt;
    }
    // A client with none of these forms takes ${…} as plain text.
    const bool reads_braces = (syntax & (kBraces | kEnv | kInput | kFile | kFolders)) != 0;
    return reads_braces ? std::optional(Found{read_braces(inside, syntax), end + 1}) : std::nullopt;
  }
  if ((syntax & kDollar) == 0 || !text.starts_with('$')) return std::nullopt;
  std::size_t end = 1;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  const std::string_view name = text.substr(1, end - 1);
  if (!is_name(name)) return std::nullopt;
  return Found{{Kind::variable, std::string(name), {}}, end};
}

}  // namespace

std::vector<TextPiece> split_variables(std::string_view text, unsigned syntax) {
  std::vector<TextPiece> out;
  for (std::size_t at = 0; at < text.size();) {
    if (auto found = variable_at(text.substr(at), syntax)) {
      out.push_back(std::move(found->piece));
      at += found->size;
      continue;
    }
    if (out.empty() || out.back().kind != Kind::text) out.push_back({Kind::text, "", {}});
    out.back().text += text[at++];
  }
  return out;
}

}  // namespace enfold::gateway
