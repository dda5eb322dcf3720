// SPDX-License-Identifier: Apache-2.0
// The size limits of an answer: tokens, characters, lines. All apply. The policy says what is cut
// first; by default everything is derived from the payload. The output schema says what must stay.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/schema/schema.h"

namespace enfold::budget {

/// The smallest budget that `check` accepts: an envelope, its report and the archive handle.
inline constexpr std::size_t kSmallestBudget = 128;    // tokens
inline constexpr std::size_t kFewestCharacters = 512;  // of the smallest budget

struct Budget {
  std::size_t tokens = 10'000;
  std::size_t characters = 32'000;     ///< Unicode code points, or what the caller counts as such
  std::optional<std::size_t> lines{};  ///< nullopt: no limit
  friend bool operator==(const Budget&, const Budget&) = default;
};

/// The error `budget_too_small` if tokens or characters are below the minimum, or lines are 0.
[[nodiscard]] Status check(const Budget& budget);

/// The size of a finished answer.
struct Size {
  std::size_t tokens = 0;
  std::size_t characters = 0;
  std::size_t lines = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

[[nodiscard]] inline bool within(const Size& size, const Budget& budget) {
  return size.tokens <= budget.tokens && size.characters <= budget.characters &&
         (!budget.lines || size.lines <= *budget.lines);
}

/// What is cut first; from the operator, the tool or the call. Patterns are JSON Pointers in which
/// `*` matches any token: "/items/*/body". A brief is a value, usually a list item, in short form.
struct Policy {
  std::string id;     ///< member that identifies an item; empty: chosen by uniqueness and cost
  std::string label;  ///< member that describes an item; empty: chosen by name and cost
  std::vector<std::string> protect;  ///< patterns: shown whole whenever data is shown
  std::vector<std::string> keep;     ///< patterns: shown first, and in every brief
  std::vector<std::string> drop;     ///< patterns: dropped first, unless kept or protected
  std::size_t clip = 160;            ///< bytes to which a brief clips longer strings
  std::string order_by;              ///< member of list items; "-score": highest first; empty: none
  std::vector<std::string> terms;    ///< words of the call's arguments: items with them come first
  bool columnar = false;  ///< lists as {"cols":[…],"rows":[[…]]} if that saves 10 % of the tokens
  bool partial = true;    ///< allow the fidelity `partial`
  bool summary = true;    ///< allow the fidelity `summary`; `reference_only` is always allowed
  bool explain = false;   ///< fill FitResult::parts
  /// Pointer of the list that later pages continue; nullopt: none. The list stays in the payload,
  /// perhaps without items, unless `drop` names it or the schema forbids to shorten it.
  /// FitResult::left has the items that are not shown.
  std::optional<std::string> list;
  friend bool operator==(const Policy&, const Policy&) = default;
};

/// Reads all members but `explain` and `list`. Unknown members and wrong types are errors, with
/// their pointer.
[[nodiscard]] Result<Policy> read_policy(json::View settings);

/// Up to eight distinct words of three bytes or more in the strings of `arguments`, in lower case.
[[nodiscard]] std::vector<std::string> terms_of(json::View arguments);

/// The output schema of a tool, compiled once; a payload that is cut must stay valid.
class OutputSchema {
 public:
  /// Fails like schema::Schema::compile.
  [[nodiscard]] static Result<OutputSchema> compile(const json::Value& schema,
                                                    const schema::Options& options = {});

  [[nodiscard]] json::View view() const { return schema_.view(); }
  [[nodiscard]] Result<bool> accepts(json::View payload) const {
    return compiled_.accepts(payload);
  }
  /// Lists at most `most` violations. Like `accepts`, fails with `limit_exceeded` only.
  [[nodiscard]] Result<schema::Validation> validate(json::View payload, std::size_t most) const {
    return compiled_.validate(payload, /*limits=*/{}, most);
  }

 private:
  OutputSchema(json::Value schema, schema::Schema compiled)
      : schema_(std::move(schema)), compiled_(std::move(compiled)) {}
  json::Value schema_;
  schema::Schema compiled_;
};

}  // namespace enfold::budget
