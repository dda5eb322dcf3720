// SPDX-License-Identifier: Apache-2.0
#include "spans.h"

#include <algorithm>

namespace scalpel {
namespace {

// Tokens between the name of a class and its brace.
constexpr std::size_t kLongestHeader = 100;
// Tokens of an arrow function without braces, those in brackets not counted.
constexpr std::size_t kLongestExpression = 400;

// The end of what follows an arrow: its braces, or the expression up to its line's end. 0 when it
// does not end within what an expression may be.
std::size_t arrow_end(const Tokens& tokens, std::size_t body) {
  if (body < tokens.size() && tokens[body].is("{")) {
    return std::min(closing_of(tokens, body), tokens.size() - 1);
  }
  std::size_t i = body;
  for (std::size_t steps = 0; i < tokens.size(); ++steps) {
    if (steps > kLongestExpression) return 0;
    if (closes(tokens[i])) return i - 1;
    if (tokens[i].is(";")) return i;
    const bool next_line = i > body && is_first_on_line(tokens, i);
    if (next_line && tokens[i].kind == Token::Kind::word) return i - 1;
    i = opens(tokens[i]) ? closing_of(tokens, i) + 1 : i + 1;
  }
  return tokens.size() - 1;
}

// `( … ) {` or `( … ) =>` after a name: the last token of the function, 0 when it is none.
std::size_t body_end(const Tokens& tokens, std::size_t parameters) {
  const std::size_t close = closing_of(tokens, parameters);
  if (close + 1 >= tokens.size() || !tokens[close + 1].is("{")) return 0;
  return std::min(closing_of(tokens, close + 1), tokens.size() - 1);
}

// const name = [async] ( … ) => … | name => … | function …
std::size_t assigned_end(const Tokens& tokens, std::size_t value) {
  if (value < tokens.size() && tokens[value].is("async")) ++value;
  if (value >= tokens.size()) return 0;
  std::size_t arrow = value + 1;
  if (tokens[value].is("(")) arrow = closing_of(tokens, value) + 1;
  if (arrow < tokens.size() && tokens[arrow].is("=>")) {
    return arrow_end(tokens, arrow + 1);
  }
  if (!tokens[value].is("function")) return 0;
  // function (, function name (, function* name (
  for (std::size_t i = value + 1; i < std::min(value + 4, tokens.size()); ++i) {
    if (tokens[i].is("(")) return body_end(tokens, i);
  }
  return 0;
}

std::size_t with_modifiers(const Tokens& tokens, std::size_t first) {
  while (first > 0 && is_one(tokens[first - 1], {"export", "default", "async", "static", "get",
                                                 "set", "const", "let", "var", "*", "#"})) {
    --first;
  }
  return first;
}

void add_methods(const Tokens& tokens, std::size_t open, std::size_t close,
                 std::vector<Span>& spans) {
  for (std::size_t i = open + 1; i < close; ++i) {
    if (opens(tokens[i])) {
      i = closing_of(tokens, i);
    } else if (is_word(tokens, i) && i + 1 < close && tokens[i + 1].is("(")) {
      const std::size_t end = body_end(tokens, i + 1);
      if (end == 0) continue;
      spans.push_back(
          {std::string(tokens[i].spelled), false, false, with_modifiers(tokens, i), end});
      i = end;
    }
  }
}

}  // namespace

std::vector<Span> javascript_spans(const Tokens& tokens) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const std::size_t named = i + (tokens[i + 1].is("*") ? 2 : 1);
    if (!is_word(tokens, named) || named + 1 >= tokens.size()) continue;
    const std::string name(tokens[named].spelled);
    if (tokens[i].is("function") && tokens[named + 1].is("(")) {
      const std::size_t end = body_end(tokens, named + 1);
      if (end > 0) spans.push_back({name, false, false, with_modifiers(tokens, i), end});
    } else if (tokens[i].is("class")) {
      std::size_t open = named;
      const std::size_t far = std::min(named + kLongestHeader, tokens.size());
      while (open < far && !tokens[open].is("{")) ++open;
      if (open == far) continue;
      const std::size_t close = closing_of(tokens, open);
      if (close >= tokens.size()) continue;
      spans.push_back({name, true, false, with_modifiers(tokens, i), close});
      add_methods(tokens, open, close, spans);
    } else if (is_one(tokens[i], {"const", "let", "var"}) && tokens[named + 1].is("=")) {
      const std::size_t end = assigned_end(tokens, named + 2);
      if (end > 0) spans.push_back({name, false, false, with_modifiers(tokens, i), end});
    }
  }
  return spans;
}

}  // namespace scalpel
