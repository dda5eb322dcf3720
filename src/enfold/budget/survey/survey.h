// SPDX-License-Identifier: Apache-2.0
// What is true of a whole list, gathered in one pass: how often each value occurs, ranges, which
// items are unlike the others, and which members name and describe an item.
#pragma once

#include "enfold/budget/plan/counter.h"
#include "enfold/budget/policy.h"
#include "enfold/json/document.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::budget::detail {

/// An item of a list, with its position there.
struct Place {
  std::uint32_t position = 0;
  json::View item;
};

struct ValueCount {
  json::View value;
  std::string_view raw;           ///< of the value
  std::uint64_t fingerprint = 0;  ///< of the raw value
  std::size_t count = 0;
  Place first;               ///< the first item that holds it
  std::vector<Place> after;  ///< and the next few
};

/// One member as it occurs over the items of a list.
struct Field {
  json::View key;
  std::string_view raw_key;
  std::size_t present = 0;
  std::size_t nulls = 0;
  std::size_t empty = 0;  ///< "" [] {}
  std::size_t strings = 0;
  std::size_t numbers = 0;
  std::size_t nested = 0;  ///< arrays and objects
  std::size_t opaque = 0;  ///< links and long machine ids
  std::size_t bytes = 0;   ///< of all values together
  bool countable = true;   ///< `values` holds all there are
  bool ordered = true;     ///< strings: of one length or beginning like dates, without escapes
  std::vector<ValueCount> values;
  std::optional<json::View> lowest, highest;  ///< numbers by value; else strings by bytes
  double low = 0, high = 0;
  std::vector<std::uint64_t> sample;  ///< hashes of the first values
  std::vector<json::View> priced;     ///< values that stand for the cost of all
  std::vector<Place> first;           ///< the first few items with a value that is not null
  std::uint32_t last_position = UINT32_MAX;

  [[nodiscard]] std::size_t live() const { return present - nulls; }
  [[nodiscard]] bool all_strings() const { return strings == live() && strings > 0; }
  [[nodiscard]] bool all_numbers() const { return numbers == live() && numbers > 0; }
};

struct Survey {
  std::size_t count = 0;
  std::size_t objects = 0;
  bool uniform = true;  ///< every item has the same members in the same order
  std::vector<Field> fields;
  std::vector<Place> head;     ///< the first items, as many as may be candidates
  std::vector<Place> failing;  ///< string items that speak of failure, the first of them
  std::size_t failing_count = 0;
  std::optional<Place> last;
  std::optional<std::size_t> id;     ///< index of the field that names an item
  std::optional<std::size_t> label;  ///< index of the field that describes it
};

/// `head`: how many of the first items to remember.
[[nodiscard]] Survey survey_list(json::View list, std::size_t head, const Policy& policy,
                                 const Counter& counter);

/// Items unlike the others: those with a value that speaks of failure, then those with one that few
/// hold.
[[nodiscard]] std::vector<Place> unusual(const Survey& survey, std::size_t most);

/// Items in the order that the policy asks for (terms, `order_by`): the first `most`; empty when
/// it asks for none.
[[nodiscard]] std::vector<Place> preferred(json::View list, const Policy& policy, std::size_t most);

/// "error", "failed", "FATAL", "panic", "critical", "exception", "denied" … in any case.
[[nodiscard]] bool speaks_of_failure(std::string_view text);

/// A link, or a long string of letters and digits without a word in it.
[[nodiscard]] bool is_opaque(std::string_view source);

}  // namespace enfold::budget::detail
