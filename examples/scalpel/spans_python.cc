// SPDX-License-Identifier: Apache-2.0
#include "spans.h"

namespace scalpel {
namespace {

std::size_t column_of(std::string_view text, const Token& token) {
  std::size_t begin = token.begin;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  std::size_t column = 0;
  for (std::size_t i = begin; i < token.begin; ++i) {
    column = text[i] == '\t' ? (column / 8 + 1) * 8 : column + 1;
  }
  return column;
}

// The last token of the block that the line of `header` opens: the one before the next logical
// line that is not deeper. Lines inside brackets or after a backslash are no logical lines.
std::size_t block_end(std::string_view text, const Tokens& tokens, std::size_t header,
                      std::size_t column) {
  std::size_t depth = 0;
  for (std::size_t i = header; i < tokens.size(); ++i) {
    const bool logical =
        i > header && depth == 0 && is_first_on_line(tokens, i) && !tokens[i - 1].is("\\");
    if (logical && column_of(text, tokens[i]) <= column) return i - 1;
    if (opens(tokens[i])) ++depth;
    if (closes(tokens[i]) && depth > 0) --depth;
  }
  return tokens.size() - 1;
}

// Back over the lines of decorators.
std::size_t with_decorators(std::string_view text, const Tokens& tokens, std::size_t first,
                            std::size_t column) {
  for (std::size_t i = first; i-- > 0;) {
    if (!is_first_on_line(tokens, i) || column_of(text, tokens[i]) > column) continue;
    if (!tokens[i].is("@")) break;
    first = i;
  }
  return first;
}

}  // namespace

std::vector<Span> python_spans(std::string_view text, const Tokens& tokens) {
  std::vector<Span> spans;
  std::size_t depth = 0;  // inside brackets nothing is defined
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (opens(tokens[i])) ++depth;
    if (closes(tokens[i]) && depth > 0) --depth;
    if (depth > 0 || !is_one(tokens[i], {"def", "class"}) || !is_word(tokens, i + 1)) continue;
    const std::size_t first = i > 0 && tokens[i - 1].is("async") ? i - 1 : i;
    if (!is_first_on_line(tokens, first)) continue;
    const std::size_t column = column_of(text, tokens[first]);
    spans.push_back({std::string(tokens[i + 1].spelled), tokens[i].is("class"), false,
                     with_decorators(text, tokens, first, column),
                     block_end(text, tokens, first, column)});
  }
  return spans;
}

}  // namespace scalpel
