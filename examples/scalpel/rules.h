// SPDX-License-Identifier: Apache-2.0
// What `security_scan` looks for: a table of rules, each with patterns over tokens.
//
// A pattern is a row of elements with spaces between them, each for one token:
//   eval            this word or mark          exec|eval     one of these
//   !$str           anything but this          "md5"         a text with this content
//   $id             a name                     $secret       a name that ends like a secret's
//   $str            a text                     $text         a text of four characters or more
//   $holes          a text with values in it   $sql, $sqlx   a statement, without or with values
//   …               any tokens up to the end of the brackets around them, as few as possible
// A row that begins with a word does not match behind a dot: `eval` is not `model.eval`.
#pragma once

#include "enfold/base/result.h"
#include "tiers.h"

#include <span>
#include <string>
#include <vector>

namespace scalpel {

enum class Severity { none, low, medium, high, critical };

struct Element {
  enum class Kind { words, content, name, secret, text, long_text, holes, sql, sql_holes, gap };
  Kind kind = Kind::words;
  bool negated = false;
  std::vector<std::string> words;
};
using Pattern = std::vector<Element>;

/// `invalid_input` for an element that is none of those above.
[[nodiscard]] enfold::Result<Pattern> compile_pattern(std::string_view text);

struct Rule {
  std::string id;
  Language language = Language::python;
  Severity severity = Severity::medium;
  std::string cwe;
  Tier tier = Tier::community;
  std::string what;
  std::string advice;
  std::vector<Pattern> patterns;
};

/// The built-in rules; those of a higher tier included.
[[nodiscard]] std::vector<Rule> built_in_rules();

/// Whether the rule is about this language. Rules for JavaScript hold for TypeScript too.
[[nodiscard]] bool applies(const Rule& rule, Language language);

/// Whether a pattern of the rule begins at tokens[at].
[[nodiscard]] bool matches(const Rule& rule, std::span<const Token> tokens, std::size_t at);

}  // namespace scalpel

template <>
struct enfold::model::Names<scalpel::Severity> {
  static constexpr std::array<std::string_view, 5> values{"none", "low", "medium", "high",
                                                          "critical"};
};
