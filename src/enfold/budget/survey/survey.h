// SPDX-License-Identifier: Apache-2.0
// Statistics of a list, gathered in one pass: value counts, ranges, exceptional items, and which
// members identify and describe an item.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/budget/plan/counter.h"
#include "enfold/json/document.h"

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
  std::size_t count = 0;          ///< how often it occurs
  Place first;                    ///< the first item that holds it
  std::vector<Place> after;       ///< up to 15 more items that hold it
};

/// Statistics of one member over the items of a list.
struct Field {
  json::View key;
  std::string_view raw_key;
  std::size_t present = 0;  ///< items that have the member; the next six count some of them
  std::size_t nulls = 0;
  std::size_t empty = 0;  ///< "" [] {}
  std::size_t strings = 0;
  std::size_t numbers = 0;
  std::size_t nested = 0;  ///< arrays and objects
  std::size_t opaque = 0;  ///< links and long machine ids
  std::size_t bytes = 0;   ///< of all values but null together
  bool countable = true;   ///< `values` holds all distinct values but null
  bool ordered = true;     ///< strings: of one length or beginning like dates, without escapes
  std::vector<ValueCount> values;             ///< of a list of strings, each string is a value
  std::optional<json::View> lowest, highest;  ///< numbers by value; without any, strings by bytes
  double low = 0, high = 0;                   ///< of lowest and highest, if they are numbers
  std::vector<std::uint64_t> sample;          ///< fingerprints of the first values
  std::vector<json::View> priced;             ///< sampled values for the cost estimate
  std::vector<Place> first;                   ///< the first few items with a value that is not null
  std::uint32_t last_position = UINT32_MAX;   ///< of the last item that has the member

  [[nodiscard]] std::size_t not_null() const { return present - nulls; }
  [[nodiscard]] bool all_strings() const { return strings == not_null() && strings > 0; }
  [[nodiscard]] bool all_numbers() const { return numbers == not_null() && numbers > 0; }
};

struct Survey {
  std::size_t count = 0;             ///< of items
  std::size_t objects = 0;           ///< items that are objects
  bool uniform = true;               ///< every item has the same members in the same order
  std::vector<Field> fields;         ///< members of the object items, at most 64
  std::vector<Place> head;           ///< the first items
  std::vector<Place> failing;        ///< the first string items with failure words
  std::size_t failing_count = 0;     ///< of all string items with failure words
  std::optional<Place> last;         ///< nullopt: the list is empty
  std::optional<std::size_t> id;     ///< index of the field that identifies an item, if any
  std::optional<std::size_t> label;  ///< index of the field that describes an item, if any
};

/// `head`: how many of the first items to remember. Only lists of objects get an id and a label.
[[nodiscard]] Survey survey_list(json::View list, std::size_t head, const Policy& policy,
                                 const Counter& counter);

/// Exceptional items: those with failure words, then those with rare values; in lists
/// with fewer than 12 items only strings with failure words.
[[nodiscard]] std::vector<Place> exceptional_items(const Survey& survey, std::size_t most);

/// The first `most` items in the order of the policy (terms, `order_by`). Without `order_by` only
/// items that contain a term; empty if the policy sets neither.
[[nodiscard]] std::vector<Place> preferred_items(json::View list, const Policy& policy,
                                                 std::size_t most);

/// Whether the text contains error, fail, fatal, panic, critical, exception or denied, ignoring
/// case.
[[nodiscard]] bool has_failure_word(std::string_view text);

/// A URL, or a machine id: 16 to 512 letters, digits, `-` and `_`, at least 3/10 of them digits.
[[nodiscard]] bool is_opaque(std::string_view source);

}  // namespace enfold::budget::detail
