// SPDX-License-Identifier: Apache-2.0
// Statistics of records, gathered in one pass: value counts, ranges, series, exceptional records,
// and which members identify and describe one. Records are the items of a list or the members of a
// map: an object whose members are alike.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/budget/plan/counter.h"
#include "enfold/budget/survey/moment.h"
#include "enfold/json/document.h"

namespace enfold::budget::detail {

/// A record, with its position: an item of a list, or a member of a map with its key.
struct Place {
  std::uint32_t position = 0;
  json::View item;
  json::View key = {};  ///< of a map's member; else null
};

struct ValueCount {
  json::View value;
  std::string_view raw;           ///< of the value
  std::uint64_t fingerprint = 0;  ///< of the raw value
  std::size_t count = 0;          ///< records that hold it
  Place first;                    ///< the first record that holds it
  std::vector<Place> after;       ///< up to 15 more records that hold it
  std::uint32_t last = 0;         ///< position of the last record that holds it
};

/// Whether the values of consecutive records have a constant distance, and where not.
struct Series {
  struct Break {
    json::View before, after;  ///< values of two consecutive records
  };
  std::vector<std::pair<std::int64_t, json::View>> first;  ///< until the step is known
  std::optional<std::int64_t> step;
  std::size_t seen = 0;
  std::size_t break_count = 0;
  std::vector<Break> breaks;  ///< the first of them
  std::int64_t previous = 0;
  json::View first_value, last_value;
};

/// Statistics of one path over the records: a member, a member of a nested object, or the items of
/// a nested array ("tags/*"); of records that are no objects, an item of a short array ("0"), or
/// the record itself ("").
struct Field {
  json::View key;                     ///< the last step of the path; null if that is no key
  std::string_view raw_key;           ///< of the key
  std::string path;                   ///< steps of a JSON Pointer without the first slash
  std::uint32_t parent = UINT32_MAX;  ///< index of the field around it; UINT32_MAX: the record
  bool in_array = false;              ///< below an array: a record may hold several values
  std::size_t present = 0;            ///< records that have it
  std::size_t nulls = 0;              ///< values; so are the next nine
  std::size_t empty = 0;              ///< "" [] {}
  std::size_t strings = 0;
  std::size_t numbers = 0;
  std::size_t numeric_strings = 0;  ///< "12.5"
  std::size_t booleans = 0;
  std::size_t arrays = 0;
  std::size_t objects = 0;
  std::size_t opaque = 0;  ///< links and long machine ids
  std::size_t bytes = 0;   ///< of all values but null together
  bool countable = true;   ///< `values` holds all distinct values but null
  bool ambiguous = false;  ///< a record has it twice
  bool too_wide = false;   ///< long arrays, or objects whose keys are data: not looked into
  std::vector<ValueCount> values;
  /// Numbers, also those in strings, by value; or times.
  std::optional<json::View> lowest, highest;
  double low = 0, high = 0;                      ///< of lowest and highest, if they are numbers
  double mean = 0, squares = 0;                  ///< of numbers: running mean and sum of squares
  Place lowest_at, highest_at;                   ///< the first record with this value
  std::optional<TimeForm> time_form;             ///< of all strings; nullopt: none yet, or not all
  bool all_times = true;                         ///< of the strings
  std::int64_t earliest = 0, latest = 0;         ///< of the times
  std::size_t shortest = SIZE_MAX, longest = 0;  ///< number of items or members
  Place longest_at;                              ///< the first record with most of them
  Series series;
  std::vector<std::uint64_t> sample;  ///< fingerprints of the first values
  std::vector<json::View> priced;     ///< sampled values: for costs, and how they read
  std::vector<Place> first;           ///< the first few records with a value that is not null
  std::uint32_t last_position = UINT32_MAX;  ///< of the last record that has it

  [[nodiscard]] std::size_t not_null() const {
    return strings + numbers + booleans + arrays + objects;
  }
  [[nodiscard]] std::size_t nested() const { return arrays + objects; }
  [[nodiscard]] bool all_strings() const { return strings == not_null() && strings > 0; }
  [[nodiscard]] bool all_numbers() const { return numbers == not_null() && numbers > 0; }
  /// All values are numbers, some of them perhaps in strings.
  [[nodiscard]] bool has_numbers() const {
    return numbers > 0 && numbers + numeric_strings == not_null();
  }
  [[nodiscard]] bool has_times() const {
    return all_strings() && all_times && time_form && numeric_strings == 0;
  }
  [[nodiscard]] bool is_series() const;
};

struct Survey {
  std::size_t count = 0;               ///< of records
  std::size_t objects = 0;             ///< records that are objects
  bool uniform = true;                 ///< every record has the same members in the same order
  std::vector<Field> fields;           ///< at most 96; a field stands after the one around it
  std::vector<std::uint32_t> columns;  ///< fields that are members of the records themselves
  std::vector<Place> head;             ///< the first records
  std::vector<Place> failing;          ///< the first string items with failure words
  std::optional<Place> last;           ///< nullopt: the list is empty
  std::optional<std::size_t> id;       ///< index of the field that identifies a record, if any
  std::optional<std::size_t> label;    ///< index of the field that describes a record, if any
  std::vector<json::View> repeated;    ///< values of the id that several records have, if few

  /// The value of a field in a record; nullopt: it has none.
  [[nodiscard]] std::optional<json::View> value(const json::View& record, std::size_t field) const;
};

/// Of an array, or of an object whose members are records. `head`: how many of the first records to
/// remember. Only lists of objects get an id and a label, and only objects a label.
[[nodiscard]] Survey survey_records(json::View records, std::size_t head, const Policy& policy,
                                    const Counter& counter);

/// Chooses the fields that identify and describe a record.
void choose_id(Survey& survey, const Policy& policy, const Counter& counter);
void choose_label(Survey& survey, const Policy& policy, const Counter& counter);
/// Finds the ids that several records have; none if there are more than twelve.
void find_repeated(Survey& survey, json::View records);

/// Adds a value of the record at `place` to the statistics of a field.
void add_value(Field& field, json::View value, const Place& place);

/// Records that a reader would ask for: with the highest and lowest numbers, with failure words,
/// with rare values; in lists with fewer than 12 records only strings with failure words.
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
