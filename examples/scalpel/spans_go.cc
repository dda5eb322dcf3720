// SPDX-License-Identifier: Apache-2.0
// Functions, methods and types of Go. They stand at the beginning of a line and have a body.
#include "spans.h"

#include <algorithm>

namespace scalpel {
namespace {

// Tokens between the name of a declaration and its body: parameters count as one.
constexpr std::size_t kLongestHeader = 100;

// The brace of the body; the number of tokens when the declaration has none. A result may itself
// hold braces, `interface{}` and `struct{}`, which are not the body.
std::size_t body_of(const Tokens& tokens, std::size_t at) {
  for (std::size_t steps = 0; at < tokens.size() && steps < kLongestHeader; ++steps) {
    const bool inside_type = at > 0 && is_one(tokens[at - 1], {"interface", "struct"});
    if (tokens[at].is("{") && !inside_type) return at;
    if (is_one(tokens[at], {"func", "type", "var", "const"}) && is_first_on_line(tokens, at)) break;
    at = opens(tokens[at]) ? closing_of(tokens, at) + 1 : at + 1;
  }
  return tokens.size();
}

// `(a *Account)` → Account, `(s *Stack[T])` → Stack
std::string receiver_type(const Tokens& tokens, std::size_t open) {
  const std::size_t close = closing_of(tokens, open);
  std::string name;
  for (std::size_t i = open + 1; i < close && i < tokens.size(); ++i) {
    if (tokens[i].is("[")) break;
    if (is_word(tokens, i)) name = tokens[i].spelled;
  }
  return name;
}

void add_function(const Tokens& tokens, std::size_t at, std::vector<Span>& spans) {
  std::size_t named = at + 1;
  std::string name;
  if (named < tokens.size() && tokens[named].is("(")) {
    name = receiver_type(tokens, named) + ".";
    named = closing_of(tokens, named) + 1;
  }
  if (!is_word(tokens, named)) return;
  name += tokens[named].spelled;
  const std::size_t close = closing_of(tokens, body_of(tokens, named + 1));
  if (close < tokens.size()) spans.push_back({std::move(name), false, false, at, close});
}

// type Name struct { … }, and interface; other types have no body to extract.
void add_type(const Tokens& tokens, std::size_t at, std::vector<Span>& spans) {
  if (!is_word(tokens, at + 1)) return;
  std::size_t body = at + 2;
  if (body < tokens.size() && tokens[body].is("[")) body = closing_of(tokens, body) + 1;
  if (body + 1 >= tokens.size() || !is_one(tokens[body], {"struct", "interface"})) return;
  const std::size_t close = closing_of(tokens, body + 1);
  if (close >= tokens.size()) return;
  spans.push_back({std::string(tokens[at + 1].spelled), true, false, at, close});
}

}  // namespace

std::vector<Span> go_spans(const Tokens& tokens) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!is_first_on_line(tokens, i)) continue;
    if (tokens[i].is("func")) add_function(tokens, i, spans);
    if (tokens[i].is("type")) add_type(tokens, i, spans);
  }
  return spans;
}

}  // namespace scalpel
