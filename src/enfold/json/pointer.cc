// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/pointer.h"

#include "enfold/base/text.h"

#include <charconv>
#include <fmt/core.h>

namespace enfold::json {
namespace {

std::optional<std::size_t> array_index(std::string_view token) {
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  if (token.empty() || (token.size() > 1 && token[0] == '0')) return std::nullopt;
  if (std::from_chars(token.data(), end, index).ptr != end) return std::nullopt;
  return index;
}

}  // namespace

void append_token(std::string& pointer, std::string_view token) {
  pointer.push_back('/');
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer.push_back(c);
    }
  }
}

std::string below(std::string pointer, std::string_view token) {
  append_token(pointer, token);
  return pointer;
}

Result<Pointer> Pointer::parse(std::string_view text) {
  std::string decoded;
  if (text.starts_with('#')) {
    std::optional<std::string> fragment = percent_decode(text.substr(1));
    if (!fragment) {
      return fail(ErrorCode::invalid_input, "expected two hex digits after '%' in a JSON Pointer",
                  std::string(text.substr(1)));
    }
    text = decoded = *std::move(fragment);
  }
  if (text.empty()) return Pointer();
  if (text[0] != '/') {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("expected a JSON Pointer (empty or beginning with '/'), found \"{}\"", text),
        {}, "write for example /data/items/0");
  }
  std::vector<std::string> tokens(1);
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '/') {
      tokens.emplace_back();
    } else if (text[at] != '~') {
      tokens.back().push_back(text[at]);
    } else if (at + 1 < text.size() && (text[at + 1] == '0' || text[at + 1] == '1')) {
      tokens.back().push_back(text[++at] == '0' ? '~' : '/');
    } else {
      return fail(ErrorCode::invalid_input, "expected ~0 or ~1 in a JSON Pointer, found a bare '~'",
                  std::string(text), "write '~' as ~0 and '/' inside a name as ~1");
    }
  }
  return Pointer(std::move(tokens));
}

std::string Pointer::str() const {
  std::string out;
  for (const std::string& token : tokens_) append_token(out, token);
  return out;
}

Pointer Pointer::operator/(std::string_view token) const {
  Pointer longer = *this;
  longer.tokens_.emplace_back(token);
  return longer;
}

std::optional<View> Pointer::resolve(View root) const {
  std::optional<View> here = root;
  for (const std::string& token : tokens_) {
    if (here->is_object()) {
      here = here->find(token);
    } else if (const auto index = here->is_array() ? array_index(token) : std::nullopt) {
      here = here->item(*index);
    } else {
      return std::nullopt;
    }
    if (!here) return std::nullopt;
  }
  return here;
}

}  // namespace enfold::json
