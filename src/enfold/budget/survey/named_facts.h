// SPDX-License-Identifier: Apache-2.0
// Facts about records that name records, and functions that the facts that only count use too.
#pragma once

#include "enfold/budget/survey/survey.h"

namespace enfold::budget::detail {

struct NamedFact {
  std::string_view section;
  std::string name;   ///< the path of the member
  std::string value;  ///< minified JSON
};

/// Facts by priority.
[[nodiscard]] std::vector<NamedFact> named_facts(const Survey& survey);

/// The name of a value in the counts: a string as it is, or in quotes if it reads like another kind
/// of value ("null", "true", "12"); other values as they are written.
[[nodiscard]] std::string value_name(json::View value);

/// Whether a fact gives each distinct value with its count: they are few, and each occurs twice or
/// more on average.
[[nodiscard]] bool has_value_counts(const Field& field);

/// Whether a fact gives the range of sizes: of lists, or of objects whose keys are data.
[[nodiscard]] bool has_sizes(const Field& field);

/// What is counted: how often a value occurs (items), or in how many records.
enum class CountOf { items, records };
/// Counts by value, the most frequent first, spellings in other letter case together:
/// {"open":349,"Open":2,"closed":151}.
[[nodiscard]] std::string count_values(const Field& field, CountOf of);

}  // namespace enfold::budget::detail
