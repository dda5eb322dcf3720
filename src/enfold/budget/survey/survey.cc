// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/survey/survey.h"

#include "enfold/json/pointer.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr std::uint32_t kNoField = UINT32_MAX;  // no index: there would be too many fields
constexpr std::size_t kMostFields = 96;         // further paths are not surveyed
constexpr std::size_t kMostColumns = 64;        // fields that are members of the records, at most
constexpr std::size_t kMostNested = 24;         // members of nested objects; more: keys are data
constexpr int kDeepest = 6;                     // steps of a path
constexpr std::size_t kLongArray = 64;          // items of longer arrays are not surveyed
constexpr std::size_t kLongTuple = 8;           // items; a longer array is no tuple
constexpr std::size_t kReservedFields = 24;     // initial capacity
constexpr std::size_t kTail = 3;                // last records that are remembered
constexpr std::size_t kMostFailing = 64;        // strings with failure words that are remembered
constexpr std::size_t kWorthExtremes = 8;       // numbers, and different values, of a field
constexpr std::size_t kShortList = 12;          // records; in shorter lists every value is rare

/// The fields of the members of one object in a record, or of the record itself.
struct Level {
  std::vector<std::uint32_t> fields;  ///< in the order of their first appearance
  std::unordered_map<std::string, std::uint32_t> by_key;  ///< decoded: "\u00e9" is "é"
  std::optional<std::uint32_t> items;  ///< the field of the items, if the value is an array
};

/// Gathers the statistics of the fields, one record after the other.
class Surveyor {
 public:
  explicit Surveyor(Survey& survey) : survey_(survey) {}

  void add(const Place& place) {
    if (!place.item.is_object()) {
      survey_.uniform = false;
      if (place.item.is_string() && survey_.failing.size() < kMostFailing &&
          has_failure_word(place.item.string_source())) {
        survey_.failing.push_back(place);
      }
      if (place.item.is_array()) return add_tuple(place);
      if (const std::uint32_t at = non_object_field(""); at != kNoField) {
        add_at(at, place.item, place, /*depth=*/1);
      }
      return;
    }
    ++survey_.objects;
    const std::size_t members = add_members(place.item, kRecord, place, /*depth=*/1);
    if (members != level(kRecord).fields.size()) survey_.uniform = false;
  }

  void finish() {
    survey_.columns = std::move(level(kRecord).fields);
    for (Field& field : survey_.fields) finish_total(field);
    // Fields of records that are no objects are marked ambiguous, and so get no facts, when facts
    // about them would mislead. Beside objects, "" and "0" could be the names of members; of long
    // arrays nothing is counted. Beside arrays, "" would be about some of the records only.
    const bool unclear = survey_.objects > 0 || has_long_arrays_;
    for (const auto& [name, at] : non_object_fields_) {
      if (unclear || (name.empty() && has_arrays_)) survey_.fields[at].ambiguous = true;
    }
  }

 private:
  // The level of the members of a field's value; of kRecord: of the members of the records.
  Level& level(std::uint32_t parent) {
    const std::size_t at = parent == kRecord ? 0 : std::size_t{parent} + 1;
    if (levels_.size() <= at) levels_.resize(std::max(at + 1, survey_.fields.size() + 1));
    return levels_[at];
  }

  // A short array as record, such as [time, value]: its items are fields by their position.
  void add_tuple(const Place& place) {
    has_arrays_ = true;
    if (place.item.size() > kLongTuple) {
      has_long_arrays_ = true;
      return;
    }
    std::size_t position = 0;
    for (const View item : place.item.items()) {
      const std::uint32_t at = non_object_field(std::to_string(position++));
      if (at != kNoField) add_at(at, item, place, /*depth=*/1);
    }
  }

  // The field of a record that is no object: "" is the record itself, a scalar; "0" the first item
  // of a tuple. Adds it if it is new.
  std::uint32_t non_object_field(const std::string& name) {
    const auto known = non_object_fields_.find(name);
    if (known != non_object_fields_.end()) return known->second;
    if (survey_.fields.size() == kMostFields) return kNoField;
    const std::uint32_t at = add_field({}, name, kRecord);
    non_object_fields_.emplace(name, at);
    return at;
  }

  // Returns the number of members.
  std::size_t add_members(View object, std::uint32_t parent, const Place& place, int depth) {
    std::size_t column = 0;
    for (const auto& [key, value] : object.members()) {
      const std::uint32_t at = find_or_add(key, parent, column++);
      if (at == kNoField) continue;
      Field& field = survey_.fields[at];
      if (field.last_object == object.offset()) {
        if (parent == kRecord) survey_.uniform = false;
        field.ambiguous = true;  // readers differ about which of repeated members counts
        continue;
      }
      field.last_object = object.offset();
      add_at(at, value, place, depth);
    }
    return column;
  }

  // Adds a value to the field with index `at`, and what is in the value to fields below that.
  void add_at(std::uint32_t at, View value, const Place& place, int depth) {
    add_value(survey_.fields[at], value, place);
    if (depth == kDeepest || survey_.fields[at].too_wide) return;
    if (value.is_object()) {
      add_members(value, at, place, depth + 1);
    } else if (value.is_array() && value.size() > 0) {
      add_items(value, at, place, depth + 1);
    }
  }

  // Arrays that are too long for a survey get none of their items, in any record.
  void add_items(View array, std::uint32_t parent, const Place& place, int depth) {
    if (array.size() > kLongArray) survey_.fields[parent].too_wide = true;
    if (survey_.fields[parent].too_wide) return;
    const std::uint32_t at = items_of(parent);
    if (at == kNoField) return;
    for (const View item : array.items()) add_at(at, item, place, depth);
  }

  // The index of the field of the items of an array, which is added if it is new.
  std::uint32_t items_of(std::uint32_t parent) {
    Level& here = level(parent);
    if (here.items) return *here.items;
    if (survey_.fields.size() == kMostFields) return kNoField;
    const std::uint32_t at = add_field({}, "*", parent);
    survey_.fields[at].in_array = true;
    level(parent).items = at;
    return at;
  }

  // The index of the field of a member, which is added if it is new. `column`: position of the
  // member in its object; members at the same position usually have the same key.
  std::uint32_t find_or_add(View key, std::uint32_t parent, std::size_t column) {
    const std::string_view raw = key.raw();
    Level& here = level(parent);
    if (column < here.fields.size() && survey_.fields[here.fields[column]].raw_key == raw) {
      return here.fields[column];
    }
    const bool of_record = parent == kRecord;
    std::string name = key.string();
    if (const auto known = here.by_key.find(name); known != here.by_key.end()) {
      if (of_record) survey_.uniform = false;
      return known->second;
    }
    if (of_record && survey_.objects > 1) survey_.uniform = false;
    if (of_record && here.fields.size() == kMostColumns) {
      survey_.uniform = false;
      return kNoField;
    }
    if (!of_record && here.fields.size() == kMostNested) {
      survey_.fields[parent].too_wide = true;
      return kNoField;
    }
    if (survey_.fields.size() == kMostFields) return kNoField;
    const std::uint32_t at = add_field(key, name, parent);
    // The path of the items of a list ends in "*" too.
    if (!of_record && name == "*") survey_.fields[at].ambiguous = true;
    Level& again = level(parent);  // it may have moved
    again.by_key.emplace(std::move(name), at);
    again.fields.push_back(at);
    return at;
  }

  std::uint32_t add_field(View key, const std::string& step, std::uint32_t parent) {
    if (survey_.fields.empty()) survey_.fields.reserve(kReservedFields);
    Field field;
    field.key = key;
    if (!key.is_null()) field.raw_key = key.raw();
    field.parent = parent;
    std::string path;
    json::append_token(path, step);
    if (parent == kRecord) {
      field.path = path.substr(1);
    } else {
      field.path = survey_.fields[parent].path + path;
      field.in_array = survey_.fields[parent].in_array;
    }
    survey_.fields.push_back(std::move(field));
    return static_cast<std::uint32_t>(survey_.fields.size() - 1);
  }

  Survey& survey_;
  std::vector<Level> levels_;
  std::unordered_map<std::string, std::uint32_t> non_object_fields_;  ///< see non_object_field
  bool has_arrays_ = false;                                           ///< among the records
  bool has_long_arrays_ = false;  ///< among the records: too long for tuples
};

// Clears the statistics of ambiguous fields and of fields below them; also of fields below those
// that turned out too wide, because they were surveyed in some records only.
void forget_incomplete(Survey& survey) {
  std::vector<bool> incomplete(survey.fields.size());
  for (std::size_t i = 0; i < survey.fields.size(); ++i) {
    const Field& field = survey.fields[i];
    if (field.parent != kRecord) {
      incomplete[i] = incomplete[field.parent] || survey.fields[field.parent].too_wide;
    }
    incomplete[i] = incomplete[i] || field.ambiguous;
    if (!incomplete[i]) continue;
    Field nothing;
    nothing.key = field.key;
    nothing.raw_key = field.raw_key;
    nothing.path = field.path;
    nothing.parent = field.parent;
    nothing.countable = false;
    survey.fields[i] = std::move(nothing);
  }
}

// Finds the records that lack a member which nearly all have, for Survey::lacking.
void find_lacking(Survey& survey, View records) {
  std::vector<std::uint32_t> wanted;
  for (Field& field : survey.fields) {
    const std::size_t lacking = survey.count - field.present;
    if (field.in_array || field.present == 0 || lacking == 0 || lacking > kFew) {
      field.absent.clear();
      continue;
    }
    for (auto at = field.last_position + 1; at < survey.count; ++at) field.absent.push_back(at);
    wanted.insert(wanted.end(), field.absent.begin(), field.absent.end());
  }
  if (wanted.empty()) return;
  std::ranges::sort(wanted);
  const auto same = std::ranges::unique(wanted);
  wanted.erase(same.begin(), same.end());
  auto next = wanted.begin();
  std::uint32_t position = 0;
  const auto look_at = [&](View key, View item) {
    if (next != wanted.end() && *next == position) {
      survey.lacking.push_back({position, item, key});
      ++next;
    }
    ++position;
  };
  for (const View item : records.items()) look_at({}, item);
  for (const auto& [key, value] : records.members()) look_at(key, value);
}

// How far the value stands out: in standard deviations from the mean.
double distance(const Field& field, double value) {
  const std::size_t seen = field.numbers + field.numeric_strings;
  const double variance = field.squares / static_cast<double>(seen);
  return variance > 0 ? std::abs(value - field.mean) / std::sqrt(variance) : 0;
}

// The records with the highest and the lowest number of each field, the most unusual first.
std::vector<Place> extremes(const Survey& survey) {
  std::vector<std::pair<double, Place>> found;
  for (const Field& field : survey.fields) {
    if (!field.has_numbers() || field.numbers < kWorthExtremes || field.is_series() ||
        (field.countable && field.values.size() < kWorthExtremes)) {
      continue;
    }
    for (const Ranking* ranking : {&field.highest, &field.lowest}) {
      const Ranked& first = ranking->first();
      found.emplace_back(distance(field, first.number), first.place);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Place> places;
  for (const auto& [far, place] : found) places.push_back(place);
  return places;
}

// The first records with the value, at most `most`.
void append(std::vector<Place>& places, const ValueCount& value, std::size_t most) {
  places.push_back(value.first);
  const std::size_t more = std::min(most - 1, value.after.size());
  places.insert(places.end(), value.after.begin(),
                value.after.begin() + static_cast<std::ptrdiff_t>(more));
}

}  // namespace

std::optional<View> Survey::value(const View& record, std::size_t field) const {
  const Field& wanted = fields[field];
  std::optional<View> around = record;
  if (wanted.parent != kRecord) around = value(record, wanted.parent);
  if (!around) return std::nullopt;
  return wanted.key.has_escapes() ? around->find(wanted.key.string())
                                  : around->find(wanted.key.string_source());
}

Survey survey_records(View records, std::size_t head, const Policy& policy,
                      const Counter& counter) {
  Survey survey;
  survey.count = records.size();
  Surveyor surveyor(survey);
  Place place;
  const auto add = [&](View key, View item) {
    place.key = key;
    place.item = item;
    if (survey.head.size() < head) survey.head.push_back(place);
    surveyor.add(place);
    survey.last = place;
    if (place.position + kTail >= survey.count) survey.tail.push_back(place);
    ++place.position;
  };
  for (const View item : records.items()) add({}, item);
  for (const auto& [key, value] : records.members()) add(key, value);
  surveyor.finish();
  forget_incomplete(survey);
  find_lacking(survey, records);
  if (survey.objects == 0) survey.uniform = false;
  if (survey.objects == survey.count && records.is_array()) {
    choose_id(survey, policy, counter);
    choose_label(survey, policy, counter);
    find_repeated(survey, records);
  }
  if (survey.objects == survey.count) survey.shared = find_shared(survey, records);
  return survey;
}

std::vector<Place> exceptional_items(const Survey& survey, std::size_t most) {
  constexpr std::size_t most_failing = 6;  // records with the same value that has a failure word
  constexpr std::size_t most_rare = 2;     // records with the same rare value or member
  std::vector<Place> failing = survey.failing;
  std::vector<Place> rare;
  std::vector<Place> extreme;
  if (survey.count >= kShortList) {
    // Of a sorted list readers ask for the newest, which may be the last.
    if (std::ranges::any_of(survey.fields, &Field::is_sorted)) {
      extreme.assign(survey.tail.rbegin(), survey.tail.rend());
    }
    const std::vector<Place> most_unusual = extremes(survey);
    extreme.insert(extreme.end(), most_unusual.begin(), most_unusual.end());
    // A value, or a member, that so many records have is rare; a failure is one of a quarter.
    const std::size_t few = std::max<std::size_t>(2, survey.count / 20);
    const std::size_t quarter = survey.count / 4;
    for (const Field& field : survey.fields) {
      if (field.not_null() > 0 && field.not_null() <= few) {
        rare.insert(rare.end(), field.first.begin(),
                    field.first.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                              field.first.size(), most_rare)));
      }
      if (!field.countable || field.values.size() < 2) continue;
      for (const ValueCount& value : field.values) {
        const bool fails = value.count <= quarter && has_failure_word(value.value.raw());
        if (fails || value.count <= few) {
          append(fails ? failing : rare, value, fails ? most_failing : most_rare);
        }
      }
    }
  }
  for (std::vector<Place>* places : {&failing, &rare}) {
    std::sort(places->begin(), places->end(),
              [](const Place& a, const Place& b) { return a.position < b.position; });
  }
  std::vector<Place> places;
  std::unordered_set<std::uint32_t> known;
  for (const std::vector<Place>* some : {&extreme, &failing, &rare}) {
    for (const Place& place : *some) {
      if (places.size() == most) return places;
      if (known.insert(place.position).second) places.push_back(place);
    }
  }
  return places;
}

}  // namespace enfold::budget::detail
