// SPDX-License-Identifier: Apache-2.0
// The language of `where`:  state = open and (score >= 0.9 or labels contains backend)
// Its evaluation is in records/condition_match.h; docs/reference/retrieval.md is the reference.
#pragma once

#include "enfold/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

enum class Comparison { equal, not_equal, less, at_most, greater, at_least, contains, exists };

/// The kind of a literal. Quoted text is always text.
enum class LiteralKind { text, number, boolean, null };

struct Literal {
  std::string text;
  LiteralKind kind = LiteralKind::text;
  friend bool operator==(const Literal&, const Literal&) = default;
};

struct Term {
  std::vector<std::string> path;  ///< empty: the record itself
  Comparison comparison = Comparison::exists;
  Literal literal;  ///< unused by `exists`
  friend bool operator==(const Term&, const Term&) = default;
};

struct Condition {
  enum class Kind { term, all, any, negation };
  Kind kind = Kind::term;
  Term term;                     ///< only of a term
  std::vector<Condition> parts;  ///< the operands of and, or, not
  friend bool operator==(const Condition&, const Condition&) = default;
};

inline constexpr std::size_t kLongestCondition = 4096;

/// Errors say what was expected at which character and what was found there.
[[nodiscard]] Result<Condition> parse_condition(std::string_view text);

/// Whether the text is a JSON number.
[[nodiscard]] bool is_number_text(std::string_view text);

}  // namespace enfold::retrieve
