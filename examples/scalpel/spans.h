// SPDX-License-Identifier: Apache-2.0
// Symbols by their tokens, one finder for each language. They know nothing of what encloses them.
#pragma once

#include "source.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace scalpel {

using Tokens = std::vector<Token>;

struct Span {
  std::string name;
  bool is_type = false;
  bool is_scope = false;  ///< a namespace: encloses others, but is nothing to extract
  std::size_t first = 0;  ///< tokens
  std::size_t last = 0;
};

[[nodiscard]] std::vector<Span> python_spans(std::string_view text, const Tokens& tokens);
/// JavaScript and TypeScript.
[[nodiscard]] std::vector<Span> script_spans(const Tokens& tokens);
[[nodiscard]] std::vector<Span> go_spans(const Tokens& tokens);
[[nodiscard]] std::vector<Span> cpp_spans(const Tokens& tokens);

[[nodiscard]] inline bool is_one(const Token& token,
                                 std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (token.is(word)) return true;
  }
  return false;
}
[[nodiscard]] inline bool opens(const Token& token) { return is_one(token, {"(", "[", "{"}); }
[[nodiscard]] inline bool closes(const Token& token) { return is_one(token, {")", "]", "}"}); }
[[nodiscard]] inline bool is_word(const Tokens& tokens, std::size_t at) {
  return at < tokens.size() && tokens[at].kind == Token::Kind::word;
}

}  // namespace scalpel
