// SPDX-License-Identifier: Apache-2.0
// Facts about records that name records, and what they share with facts that only count.
#pragma once

#include "enfold/budget/survey/survey.h"

namespace enfold::budget::detail {

struct NamedFact {
  std::string_view section;
  std::string name;   ///< the path of the member
  std::string value;  ///< minified JSON
};

/// By priority.
[[nodiscard]] std::vector<NamedFact> named_facts(const Survey& survey);

/// The name of a value in the counts: a string as it is, unless it reads like another kind of value
/// (null, true, 12): then with its quotes. Others as they are written.
[[nodiscard]] std::string value_name(json::View value);

/// Few distinct values, which are told with their counts: each occurs twice or more on average.
[[nodiscard]] bool has_value_counts(const Field& field);

/// Whether the number of items of lists, or of members of objects whose keys are data, is told.
[[nodiscard]] bool has_sizes(const Field& field);

/// How often a value occurs, or in how many records.
enum class CountOf { items, records };
/// Counts by value, the most frequent first, spellings in other letter case together:
/// {"open":349,"Open":2,"closed":151}.
[[nodiscard]] std::string count_values(const Field& field, CountOf of);

}  // namespace enfold::budget::detail
