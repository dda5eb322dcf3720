// SPDX-License-Identifier: Apache-2.0
// Functions, classes and methods of JavaScript; with types around them, of TypeScript.
#include "spans.h"

#include <algorithm>

namespace scalpel {
namespace {

// Tokens between the name of a declaration and its body, those in brackets not counted.
constexpr std::size_t kLongestHeader = 100;
// Tokens of an arrow function without braces, those in brackets not counted.
constexpr std::size_t kLongestExpression = 400;

// Behind `<T, U extends V>`, if that stands here.
std::size_t after_type_parameters(const Tokens& tokens, std::size_t at) {
  if (at >= tokens.size() || !tokens[at].is("<")) return at;
  std::size_t depth = 0;
  for (std::size_t i = at; i < std::min(at + kLongestHeader, tokens.size()); ++i) {
    if (tokens[i].is("<")) ++depth;
    if (tokens[i].is(">") && --depth == 0) return i + 1;
  }
  return at;
}

// The first of `marks` behind a type that begins at `at`; the number of tokens when there is none.
// A brace where a type is due belongs to the type: `): { id: string } {`.
std::size_t after_type(const Tokens& tokens, std::size_t at,
                       std::initializer_list<std::string_view> marks) {
  bool type_is_due = true;
  for (std::size_t steps = 0; at < tokens.size() && steps < kLongestHeader; ++steps) {
    const bool in_type = tokens[at].is("{") && type_is_due;
    if (is_one(tokens[at], marks) && !in_type) return at;
    if (closes(tokens[at]) || is_one(tokens[at], {";", "function", "class"})) break;
    type_is_due = is_one(tokens[at], {":", "|", "&", "<", ",", "=>", "extends", "is"});
    at = opens(tokens[at]) ? closing_of(tokens, at) + 1 : at + 1;
  }
  return tokens.size();
}

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

// `<T>( … ): type {` after a name: the last token of the function, 0 when it is none.
std::size_t function_end(const Tokens& tokens, std::size_t after_name) {
  const std::size_t parameters = after_type_parameters(tokens, after_name);
  if (parameters >= tokens.size() || !tokens[parameters].is("(")) return 0;
  std::size_t body = closing_of(tokens, parameters) + 1;
  if (body < tokens.size() && tokens[body].is(":")) body = after_type(tokens, body + 1, {"{"});
  if (body >= tokens.size() || !tokens[body].is("{")) return 0;
  return std::min(closing_of(tokens, body), tokens.size() - 1);
}

// name = [async] ( … ): type => … | name => … | function …
std::size_t assigned_end(const Tokens& tokens, std::size_t value) {
  if (value < tokens.size() && tokens[value].is("async")) ++value;
  value = after_type_parameters(tokens, value);
  if (value >= tokens.size()) return 0;
  std::size_t arrow = value + 1;
  if (tokens[value].is("(")) {
    arrow = closing_of(tokens, value) + 1;
    if (arrow < tokens.size() && tokens[arrow].is(":")) {
      arrow = after_type(tokens, arrow + 1, {"=>"});
    }
  }
  if (arrow < tokens.size() && tokens[arrow].is("=>")) return arrow_end(tokens, arrow + 1);
  if (!tokens[value].is("function")) return 0;
  // function (, function name (, function* name (
  for (std::size_t i = value + 1; i < std::min(value + 4, tokens.size()); ++i) {
    if (is_one(tokens[i], {"(", "<"})) return function_end(tokens, i);
  }
  return 0;
}

// name = value, name: type = value
std::size_t variable_end(const Tokens& tokens, std::size_t after_name) {
  std::size_t equals = after_name;
  if (equals < tokens.size() && tokens[equals].is(":")) {
    equals = after_type(tokens, equals + 1, {"="});
  }
  const bool has_value = equals < tokens.size() && tokens[equals].is("=");
  return has_value ? assigned_end(tokens, equals + 1) : 0;
}

// Back over `@name` and `@name( … )`.
std::size_t with_decorators(const Tokens& tokens, std::size_t first) {
  while (first >= 2) {
    std::size_t name = first - 1;
    if (tokens[name].is(")")) {
      const std::size_t far = name > kLongestHeader ? name - kLongestHeader : 0;
      while (name > far && tokens[name].closed_by != first - 1) --name;
      if (name == far) return first;
      --name;
    }
    if (name == 0 || !is_word(tokens, name) || !tokens[name - 1].is("@")) return first;
    first = name - 1;
  }
  return first;
}

std::size_t with_modifiers(const Tokens& tokens, std::size_t first) {
  while (first > 0 &&
         is_one(tokens[first - 1], {"export", "default", "async", "static", "get", "set", "const",
                                    "let", "var", "*", "#", "public", "private", "protected",
                                    "readonly", "abstract", "override", "declare"})) {
    --first;
  }
  return with_decorators(tokens, first);
}

void add_methods(const Tokens& tokens, std::size_t open, std::size_t close,
                 std::vector<Span>& spans) {
  for (std::size_t i = open + 1; i < close; ++i) {
    if (opens(tokens[i])) {
      i = closing_of(tokens, i);
    } else if (is_word(tokens, i)) {
      std::size_t end = function_end(tokens, i + 1);
      if (end == 0) end = variable_end(tokens, i + 1);
      if (end == 0 || end > close) continue;
      spans.push_back(
          {std::string(tokens[i].spelled), false, false, with_modifiers(tokens, i), end});
      i = end;
    }
  }
}

// class, interface, enum and namespace: a name, whatever it extends, and braces.
void add_type(const Tokens& tokens, std::size_t at, std::size_t named, std::vector<Span>& spans) {
  const std::size_t open = after_type(tokens, named, {"{"});
  const std::size_t close = closing_of(tokens, open);
  if (close >= tokens.size()) return;
  const bool scope = tokens[at].is("namespace");
  spans.push_back(
      {std::string(tokens[named].spelled), !scope, scope, with_modifiers(tokens, at), close});
  if (tokens[at].is("class")) add_methods(tokens, open, close, spans);
}

// type Name = { … }
void add_alias(const Tokens& tokens, std::size_t at, std::size_t named, std::vector<Span>& spans) {
  const std::size_t equals = after_type_parameters(tokens, named + 1);
  if (equals + 1 >= tokens.size() || !tokens[equals].is("=") || !tokens[equals + 1].is("{")) return;
  const std::size_t close = closing_of(tokens, equals + 1);
  if (close >= tokens.size()) return;
  spans.push_back(
      {std::string(tokens[named].spelled), true, false, with_modifiers(tokens, at), close});
}

// interface, namespace and type are names, too, where nothing is declared.
bool begins_declaration(const Tokens& tokens, std::size_t at) {
  return is_first_on_line(tokens, at) || is_one(tokens[at - 1], {"export", "declare", "default"});
}

}  // namespace

std::vector<Span> script_spans(const Tokens& tokens) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const std::size_t named = i + (tokens[i + 1].is("*") ? 2 : 1);
    if (!is_word(tokens, named) || named + 1 >= tokens.size()) continue;
    std::size_t end = 0;
    if (tokens[i].is("function")) {
      end = function_end(tokens, named + 1);
    } else if (is_one(tokens[i], {"class", "enum"})) {
      add_type(tokens, i, named, spans);
    } else if (is_one(tokens[i], {"interface", "namespace"}) && begins_declaration(tokens, i)) {
      add_type(tokens, i, named, spans);
    } else if (tokens[i].is("type") && begins_declaration(tokens, i)) {
      add_alias(tokens, i, named, spans);
    } else if (is_one(tokens[i], {"const", "let", "var"})) {
      end = variable_end(tokens, named + 1);
    }
    if (end > 0) {
      spans.push_back(
          {std::string(tokens[named].spelled), false, false, with_modifiers(tokens, i), end});
    }
  }
  return spans;
}

}  // namespace scalpel
