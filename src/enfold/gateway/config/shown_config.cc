// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/config/shown_config.h"

#include "enfold/gateway/config/toml.h"
#include "enfold/json/pointer.h"

#include <algorithm>
#include <map>

namespace enfold::gateway {
namespace {

constexpr std::string_view kHidden = "\"***\"";

// Whether the value at `pointer` is hidden: hashes of keys, and texts of `env` and `headers`. A
// table there, {env = "NAME"} or {file = "PATH"}, only refers to a secret and is shown.
bool is_secret(const Toml& toml, const std::string& pointer) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  if (!parsed || parsed->tokens().size() < 2) return false;
  const auto& tokens = parsed->tokens();
  const std::string& table = tokens[tokens.size() - 2];
  const bool is_secret_name = tokens.back() == "key_sha256" || table == "env" || table == "headers";
  const auto value = is_secret_name ? parsed->resolve(toml.value.view()) : std::nullopt;
  return value && !value->is_object();
}

// The byte offset of a place, whose columns count characters.
std::size_t offset_of(std::string_view text, TextPlace place) {
  std::size_t at = 0;
  for (std::size_t line = 1; line < place.line && at < text.size(); ++line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  for (std::size_t column = 1; column < place.column && at < text.size(); ++column) {
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  }
  return at;
}

// The text with all values hidden. It is not valid TOML, so it is not known where values end: lines
// that have no table's name, comment or key are hidden too.
std::string without_values(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t equals = line.find('=');
    if (line.empty() || line.front() == '[' || line.front() == '#') {
      out += line;
    } else if (equals != std::string_view::npos) {
      out += line.substr(0, equals + 1);
      out += ' ';
      out += kHidden;
    } else {
      out += kHidden;
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string without_secret_values(std::string_view text) {
  const Result<Toml> toml = read_toml(text, {});
  if (!toml) return without_values(text);
  std::map<std::size_t, std::size_t> secrets;  // end by begin; offsets
  for (const auto& [pointer, place] : toml->values) {
    const auto end = toml->ends.find(pointer);
    if (end == toml->ends.end() || !is_secret(*toml, pointer)) continue;
    secrets[offset_of(text, place)] = offset_of(text, end->second);
  }
  std::string out;
  std::size_t from = 0;
  for (const auto& [begin, end] : secrets) {
    if (begin < from) continue;
    out += text.substr(from, begin - from);
    out += kHidden;
    from = std::max(begin, end);
  }
  out += text.substr(from);
  return out;
}

}  // namespace enfold::gateway
