// SPDX-License-Identifier: Apache-2.0
// Patterns of rules: reading them, and finding them among tokens.
#include "enfold/base/text.h"
#include "rules.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace scalpel {
namespace {

using namespace enfold;
using Kind = Element::Kind;

// What a gap may span: a call with many arguments, not a whole file.
constexpr std::size_t kLongestGap = 200;

constexpr std::array<std::pair<std::string_view, Kind>, 8> kClasses{{
    {"$id", Kind::name},
    {"$secret", Kind::secret},
    {"$str", Kind::text},
    {"$text", Kind::long_text},
    {"$holes", Kind::holes},
    {"$sql", Kind::sql},
    {"$sqlx", Kind::sql_holes},
    {"…", Kind::gap},
}};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Result<Element> compile_element(std::string_view text) {
  Element element;
  if (text.size() > 1 && text.starts_with('!') && text != "!=") {
    element.negated = true;
    text.remove_prefix(1);
  }
  for (const auto& [name, kind] : kClasses) {
    if (text != name) continue;
    element.kind = kind;
    return element;
  }
  if (text.starts_with('$') && text.size() > 1) {
    return fail(ErrorCode::invalid_input, fmt::format("there is no element {}", text), "",
                "use one of $id, $secret, $str, $text, $holes, $sql, $sqlx");
  }
  if (text.size() > 2 && text.starts_with('"') && text.ends_with('"')) {
    element.kind = Kind::content;
    text = text.substr(1, text.size() - 2);
  }
  element.words = text.find_first_not_of('|') == std::string_view::npos
                      ? std::vector<std::string>{std::string(text)}
                      : split(text, '|');
  return element;
}

bool is_secret_name(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kEndings{
      "password", "passwd", "secret", "secret_key", "api_key", "apikey", "token"};
  const std::string lower = to_lower(name);
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return lower.ends_with(ending); });
}

bool is_statement(std::string_view content) {
  static constexpr std::array<std::string_view, 4> kVerbs{"select ", "insert into ", "update ",
                                                          "delete from "};
  const std::size_t begin = std::min(content.find_first_not_of(" \t\r\n"), content.size());
  const std::string head = to_lower(content.substr(begin, 12));
  return std::any_of(kVerbs.begin(), kVerbs.end(),
                     [&](std::string_view verb) { return head.starts_with(verb); });
}

bool is_any_of(const std::vector<std::string>& words, std::string_view text) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word == text; });
}

bool fits(const Element& element, const Token& token) {
  using Held = Token::Kind;
  switch (element.kind) {
    case Kind::words:
      return (token.kind == Held::word || token.kind == Held::mark) &&
             is_any_of(element.words, token.spelled);
    case Kind::content:
      return token.kind == Held::text && is_any_of(element.words, to_lower(token.spelled));
    case Kind::name: return token.kind == Held::word;
    case Kind::secret: return token.kind == Held::word && is_secret_name(token.spelled);
    case Kind::text: return token.kind == Held::text;
    case Kind::long_text: return token.kind == Held::text && token.spelled.size() >= 4;
    case Kind::holes: return token.kind == Held::template_text;
    case Kind::sql: return token.kind == Held::text && is_statement(token.spelled);
    case Kind::sql_holes: return token.kind == Held::template_text && is_statement(token.spelled);
    case Kind::gap: break;
  }
  return false;
}

bool matches_from(std::span<const Element> pattern, std::span<const Token> tokens);

bool matches_after_gap(std::span<const Element> pattern, std::span<const Token> tokens) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < std::min(tokens.size(), kLongestGap); ++i) {
    if (matches_from(pattern, tokens.subspan(i))) return true;
    const Token& token = tokens[i];
    if (token.is("(") || token.is("[") || token.is("{")) ++depth;
    if (token.is(")") || token.is("]") || token.is("}")) {
      if (depth == 0) return false;
      --depth;
    }
  }
  return false;
}

bool matches_from(std::span<const Element> pattern, std::span<const Token> tokens) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i].kind == Kind::gap) {
      return matches_after_gap(pattern.subspan(i + 1), tokens.subspan(std::min(i, tokens.size())));
    }
    if (i >= tokens.size() || fits(pattern[i], tokens[i]) == pattern[i].negated) return false;
  }
  return true;
}

bool stands_behind_dot(const Pattern& pattern, std::span<const Token> tokens, std::size_t at) {
  if (at == 0 || tokens[at].kind != Token::Kind::word) return false;
  if (pattern.front().kind != Kind::words) return false;
  const Token& before = tokens[at - 1];
  return before.is(".") || before.is("->") || before.is("def") || before.is("function");
}

}  // namespace

Result<Pattern> compile_pattern(std::string_view text) {
  Pattern pattern;
  for (const std::string& part : split(text, ' ')) {
    Result<Element> element = compile_element(part);
    if (!element) return tl::unexpected(std::move(element.error()));
    pattern.push_back(std::move(*element));
  }
  const auto gaps = std::count_if(pattern.begin(), pattern.end(),
                                  [](const Element& element) { return element.kind == Kind::gap; });
  if (gaps > 1) {
    return fail(ErrorCode::invalid_input, "expected at most one … in a pattern", "",
                "write two patterns");
  }
  const bool gap_inside =
      !pattern.empty() && pattern.front().kind != Kind::gap && pattern.back().kind != Kind::gap;
  if (!gap_inside) {
    return fail(ErrorCode::invalid_input, "expected a pattern that begins and ends with a token",
                "", "put a word or mark before and after …");
  }
  return pattern;
}

bool matches(const Rule& rule, std::span<const Token> tokens, std::size_t at) {
  return std::any_of(rule.patterns.begin(), rule.patterns.end(), [&](const Pattern& pattern) {
    return !stands_behind_dot(pattern, tokens, at) && matches_from(pattern, tokens.subspan(at));
  });
}

}  // namespace scalpel
