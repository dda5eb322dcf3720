// SPDX-License-Identifier: Apache-2.0
// Statistics of records, gathered in one pass: value counts, ranges, series, exceptional records,
// and which members identify and describe one. Records are the items of a list or the members of a
// map: an object whose members are alike.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/budget/plan/counter.h"
#include "enfold/budget/survey/moment.h"
#include "enfold/budget/survey/ranking.h"
#include "enfold/json/document.h"

#include <array>

namespace enfold::budget::detail {

/// Facts name up to this many records that lack a member or have an odd value.
inline constexpr std::size_t kFew = 12;

/// Field::parent of the members of the records themselves.
inline constexpr std::uint32_t kRecord = UINT32_MAX;

struct ValueCount {
  json::View value;
  std::string_view raw;           ///< of the value, in its first spelling
  std::uint64_t fingerprint = 0;  ///< of the value in its usual spelling
  std::size_t count = 0;          ///< records that hold it
  std::size_t items = 0;          ///< how often it occurs: a record may hold it several times
  Place first;                    ///< the first record that holds it
  std::vector<Place> after;       ///< up to 15 more records that hold it, after the first
  std::uint32_t last = 0;         ///< position of the last record that holds it
};

/// Whether the values of consecutive records have a constant distance, and where not. Values are
/// whole numbers, or times in microseconds.
struct Series {
  struct Break {
    json::View before, after;  ///< values of two consecutive records
  };
  std::vector<std::pair<std::int64_t, json::View>> first;  ///< first values, to find the step
  std::optional<std::int64_t> step;  ///< the usual distance; nullopt: too few values so far
  std::size_t seen = 0;              ///< values added until it is known that they are no series
  std::size_t break_count = 0;  ///< values with another distance to the one before; > 12: no series
  std::vector<Break> breaks;    ///< the first of them
  std::int64_t last_followed = 0;  ///< the last value that was compared with the step
  json::View first_value, last_value;
  bool rises = true, falls = true;  ///< no value is below, or above, the one before
  bool stays = false;               ///< a value is equal to the one before
  std::int64_t last = 0;            ///< the last value, with which the next one is compared
  std::size_t seen_all = 0;         ///< values that `rises`, `falls` and `stays` are about
};

/// Statistics of one path over the records: a member, a member of a nested object, or the items of
/// a nested array ("tags/*"); of records that are no objects, an item of a short array ("0"), or
/// the record itself ("").
struct Field {
  json::View key;                  ///< the last step of the path; null if that is no key
  std::string_view raw_key;        ///< of the key
  std::string path;                ///< steps of a JSON Pointer without the first slash
  std::uint32_t parent = kRecord;  ///< index of the field around it; kRecord: the record itself
  bool in_array = false;           ///< below an array: a record may hold several values
  std::size_t present = 0;         ///< records that have it
  std::size_t null_records = 0;    ///< records that have null there
  // From here to `opaque`: numbers of values.
  std::size_t nulls = 0;
  std::size_t empty = 0;  ///< "" [] {}
  std::size_t strings = 0;
  std::size_t numbers = 0;
  std::size_t numeric_strings = 0;  ///< "12.5"
  std::size_t booleans = 0;
  std::size_t arrays = 0;
  std::size_t objects = 0;
  std::size_t opaque = 0;  ///< strings for which is_opaque() holds: links, long machine ids
  std::size_t bytes = 0;   ///< sum over all values but null
  bool countable = true;   ///< `values` holds all distinct values but null
  /// Gets no statistics: a record has it twice, or its path could mean something else too.
  bool ambiguous = false;
  std::uint8_t seen_types = 0;  ///< a bit for each of `types()`
  bool too_wide = false;        ///< long arrays, or objects whose keys are data: not looked into
  std::vector<ValueCount> values;
  /// By value: numbers, also those in strings; if there are none, times.
  Ranking lowest{Ranking::End::lowest}, highest{Ranking::End::highest};
  double mean = 0, squares = 0;  ///< of numbers: running mean, and sum of squared distances from it
  std::size_t decimals = SIZE_MAX;    ///< digits after the point of the first number in a string
  std::size_t grouped = 0;            ///< numbers in strings with thousands separators: "3,217.25"
  bool surely_grouped = false;        ///< in one of these the comma cannot be a decimal comma
  bool same_decimals = true;          ///< all numbers in strings have as many as the first
  std::optional<TimeForm> time_form;  ///< of the first string that is a time
  bool may_be_times = true;           ///< at most a few strings are something else
  bool day_first = false;             ///< one is like 31/12/2026, where 31 must be the day
  std::size_t times = 0;              ///< strings of `time_form`
  std::vector<ValueCount> not_times;  ///< the other strings, while they are few
  std::vector<ValueCount> words;      ///< strings without a digit, while they are few
  bool few_words = true;              ///< `words` has all of them
  std::size_t shortest = SIZE_MAX;    ///< items or members of the smallest container
  std::size_t items = 0;              ///< items and members of all containers together
  Ranking longest{Ranking::End::highest};  ///< by number of items or members
  Ranking totals{Ranking::End::highest};   ///< if in_array: the sum of its numbers in each record
  std::int64_t total = 0;                  ///< sum of the last record, not in `totals` yet
  Place total_of;                          ///< the last record with a number
  bool has_totals = true;                  ///< all numbers are whole and not too large
  Series series;
  std::vector<std::uint64_t> sample_fingerprints;  ///< of the first values
  std::vector<json::View> sample_values;  ///< a few, to estimate costs and to see if it is text
  std::vector<Place> first;               ///< the first few records with a value that is not null
  std::vector<Place> null_at;             ///< the first records with null
  std::vector<std::uint32_t> absent;      ///< positions of the first records without it
  /// By type, as `types()` counts them: the first records, once there are several types. The list
  /// of the first type is empty if that had more than kFew records by then.
  std::vector<std::vector<Place>> type_at;
  std::uint32_t last_position = UINT32_MAX;  ///< of the last record that has it; UINT32_MAX: none
  std::uint32_t last_null = 0;               ///< position of the last record with null
  std::uint32_t last_object = UINT32_MAX;    ///< offset of the last object with this member

  [[nodiscard]] std::size_t not_null() const {
    return strings + numbers + booleans + arrays + objects;
  }
  [[nodiscard]] std::size_t nested() const { return arrays + objects; }
  [[nodiscard]] bool all_strings() const { return strings == not_null() && strings > 0; }
  [[nodiscard]] bool all_numbers() const { return numbers == not_null() && numbers > 0; }
  /// All values are numbers, some of them perhaps in strings; a few may be words such as "n/a".
  [[nodiscard]] bool has_numbers() const;
  /// All values are times of one form.
  [[nodiscard]] bool has_times() const { return has_most_times() && not_times.empty(); }
  /// All values but the few in `not_times` are times of one form.
  [[nodiscard]] bool has_most_times() const;
  /// All values are numbers or times, and never fall, or never rise, from record to record.
  [[nodiscard]] bool is_sorted() const;
  /// Every value is a number or time, and nearly all have the same distance to the one before.
  [[nodiscard]] bool is_series() const;
  /// Values by type: number, string, boolean, array, object.
  [[nodiscard]] std::array<std::size_t, 5> types() const {
    return {numbers, strings, booleans, arrays, objects};
  }
};

/// Values that several records share, of a member whose values differ in nearly all records.
struct Shared {
  std::size_t field = 0;  ///< index in Survey::fields
  std::vector<std::pair<json::View, std::vector<Place>>> values;
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
  std::vector<Place> tail;             ///< the last records, three at most
  std::vector<Place> lacking;          ///< records in `absent` of a field that few lack
  std::optional<std::size_t> id;       ///< index of the field that identifies a record, if any
  std::optional<std::size_t> label;    ///< index of the field that describes a record, if any
  /// Values of the id that several records have, if few, with the number of these records.
  std::vector<std::pair<json::View, std::size_t>> repeated;
  bool has_names = false;  ///< the id names a record, unless it is in `repeated`
  std::vector<Shared> shared;

  /// The value of a field in a record; nullopt: it has none.
  [[nodiscard]] std::optional<json::View> value(const json::View& record, std::size_t field) const;
};

/// Surveys an array, or an object whose members are records. `head`: how many of the first records
/// to remember. Only an array of objects gets an id and a label.
[[nodiscard]] Survey survey_records(json::View records, std::size_t head, const Policy& policy,
                                    const Counter& counter);

/// Chooses the fields that identify and describe a record.
void choose_id(Survey& survey, const Policy& policy, const Counter& counter);
void choose_label(Survey& survey, const Policy& policy, const Counter& counter);
/// Finds the ids that several records have; none if there are more than twelve.
void find_repeated(Survey& survey, json::View records);
/// Finds values that few records share, of members that are different in nearly all.
[[nodiscard]] std::vector<Shared> find_shared(const Survey& survey, json::View records);
/// What facts call a record: its key in a map; its id; the first item of a short list, if that is
/// sorted; else "#" and its position.
[[nodiscard]] std::string record_name(const Survey& survey, const Place& place);

/// Adds the sum of the last record (Field::total) to Field::totals.
void finish_total(Field& field);

/// Whether the values are the same. A string may be written with different escapes.
[[nodiscard]] bool is_same_value(json::View a, json::View b);
/// The usual spelling of a scalar: that of the source, or of a string with escapes that of
/// json::quote, which is then stored in `buffer`.
[[nodiscard]] std::string_view usual_spelling(json::View value, std::string& buffer);

/// Adds a value of the record at `place` to the statistics of a field.
void add_value(Field& field, json::View value, const Place& place);

/// At most `most` records that a reader would ask for: with the highest and lowest numbers, with
/// failure words, with rare values; in lists with fewer than 12 records only strings with failure
/// words.
[[nodiscard]] std::vector<Place> exceptional_items(const Survey& survey, std::size_t most);

/// The first `most` items in the order of the policy (terms, `order_by`). Without `order_by` only
/// items that contain a term; empty if the policy sets neither.
[[nodiscard]] std::vector<Place> preferred_items(json::View list, const Policy& policy,
                                                 std::size_t most);

/// Whether the text contains error, fail, fatal, panic, critical, exception or denied, ignoring
/// case.
[[nodiscard]] bool has_failure_word(std::string_view text);

/// Whether a string is a URL, or a machine id: 16 to 512 letters, digits, `-` and `_`, at least
/// 3/10 of them digits.
[[nodiscard]] bool is_opaque(std::string_view source);

}  // namespace enfold::budget::detail
