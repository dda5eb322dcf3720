// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/retrieve/sql/sandbox.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace enfold::retrieve::detail {
namespace {

struct Token {
  std::string text;      ///< in lower case, without quotes
  bool is_name = false;  ///< a word or a quoted name; false: a text or another character
};

bool is_word(char c) {
  return is_alphanumeric(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

// The functions end_of_… return the position after the end of what begins at the given position.

std::size_t end_of_quotes(std::string_view sql, std::size_t at) {
  const char close = sql[at] == '[' ? ']' : sql[at];
  for (++at; at < sql.size(); ++at) {
    if (sql[at] != close) continue;
    if (close == ']' || at + 1 >= sql.size() || sql[at + 1] != close) return at + 1;
    ++at;
  }
  return at;
}

std::size_t end_of_comment(std::string_view sql, std::size_t at) {
  const bool is_line = sql[at] == '-';
  const std::size_t end = is_line ? sql.find('\n', at) : sql.find("*/", at + 2);
  return end == std::string_view::npos ? sql.size() : end + (is_line ? 1 : 2);
}

std::vector<Token> tokens_of(std::string_view sql) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    const std::string_view rest = sql.substr(at);
    if (rest.starts_with("--") || rest.starts_with("/*")) {
      at = end_of_comment(sql, at);
    } else if (c == '\'' || c == '"' || c == '`' || c == '[') {
      const std::size_t end = end_of_quotes(sql, at);
      const std::size_t size = end - at >= 2 ? end - at - 2 : 0;
      tokens.push_back({.text = to_lower(sql.substr(at + 1, size)), .is_name = c != '\''});
      at = end;
    } else if (is_word(c)) {
      const std::size_t start = at;
      while (at < sql.size() && is_word(sql[at])) ++at;
      tokens.push_back({.text = to_lower(sql.substr(start, at - start)), .is_name = true});
    } else {
      if (rest.find_first_of(" \t\r\n") != 0) tokens.push_back({.text = std::string(1, c)});
      ++at;
    }
  }
  return tokens;
}

std::size_t end_of_parentheses(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text == "(" && !tokens[i].is_name) ++depth;
    if (tokens[i].text == ")" && !tokens[i].is_name && --depth == 0) return i + 1;
  }
  return tokens.size();
}

/// The index of the last '(' of "NAME [(columns)] AS [NOT] [MATERIALIZED] (" for a name at `at`; 0:
/// the name is not followed by these tokens.
std::size_t body_of(const std::vector<Token>& tokens, std::size_t at) {
  const auto is = [&](std::size_t i, std::string_view text) {
    return i < tokens.size() && tokens[i].text == text;
  };
  std::size_t next = at + 1;
  if (is(next, "(")) next = end_of_parentheses(tokens, next);
  if (!is(next, "as")) return 0;
  ++next;
  if (is(next, "not")) ++next;
  if (is(next, "materialized")) ++next;
  return is(next, "(") ? next : 0;
}

// The number of SELECTs that a statement may have, with all copies: SQLite copies an expression of
// WITH for each use, so a few expressions that use each other can become very many SELECTs.
constexpr std::uint64_t kMostCopies = 500;

/// An expression of WITH: its name, and the tokens [begin, end) of its body.
struct Expression {
  std::string name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// How many SELECTs one use of each expression adds to the statement, at most `kMostCopies` + 1.
using Copies = std::map<std::string, std::uint64_t>;

/// The number of SELECTs in the expression, with those of the expressions that it uses.
std::uint64_t copies_in(const std::vector<Token>& tokens, const Expression& expression,
                        const Copies& copies) {
  std::uint64_t sum = 0;
  for (std::size_t i = expression.begin; i < expression.end && sum <= kMostCopies; ++i) {
    if (tokens[i].text == "select") ++sum;
    const bool is_itself = tokens[i].text == expression.name;  // recursion does not copy
    const auto used = copies.find(tokens[i].text);
    if (tokens[i].is_name && !is_itself && used != copies.end()) sum += used->second;
  }
  return std::min(sum, kMostCopies + 1);
}

}  // namespace

Status check_statement(std::string_view statement) {
  const std::vector<Token> tokens = tokens_of(statement);
  const std::string first = tokens.empty() ? "select" : tokens.front().text;
  if (first != "select" && first != "with" && first != "values") {
    return fail(ErrorCode::unauthorized,
                fmt::format("expected a SELECT over the tables of the answer, found {}",
                            utf8::shortened(first, 40)),
                "sql", "only SELECT may be used, for example: select count(*) from items");
  }
  std::vector<Expression> expressions;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t open = tokens[i].is_name ? body_of(tokens, i) : 0;
    if (open != 0) {
      expressions.push_back({tokens[i].text, open, end_of_parentheses(tokens, open)});
    }
  }
  // An expression may use another that comes after it, so the counts are repeated until none
  // changes.
  Copies copies;
  for (bool changed = !expressions.empty(); changed;) {
    changed = false;
    for (const Expression& expression : expressions) {
      const std::uint64_t count = copies_in(tokens, expression, copies);
      std::uint64_t& known = copies[expression.name];
      changed = changed || count > known;
      known = std::max(known, count);
    }
  }
  if (copies_in(tokens, {{}, 0, tokens.size()}, copies) <= kMostCopies) return {};
  return fail(ErrorCode::limit_exceeded,
              "expected expressions behind WITH that use each other a few times, found more than "
              "500 copies",
              "sql", "use each expression behind WITH once, or ask in several statements");
}

}  // namespace enfold::retrieve::detail
