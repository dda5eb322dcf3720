// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/survey/survey.h"

#include "enfold/json/number.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr std::size_t kMostFields = 64;      // further members of items are not surveyed
constexpr std::size_t kReservedFields = 24;  // initial capacity
constexpr std::size_t kMostValues = 16;      // distinct values; a field with more is not countable
constexpr std::size_t kLongestValue = 42;    // bytes with quotes; longer: not countable
constexpr std::size_t kFirstPlaces = 16;     // items remembered for each value and field
constexpr std::size_t kSample = 128;         // values sampled to find out whether they are distinct
constexpr std::size_t kPriced = 4;           // values sampled for the cost of a field
constexpr std::size_t kPricedBytes = 192;    // of each such value

std::uint64_t word_at(const char* bytes, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  return word;
}

// Hashes the length and the first and last 16 bytes: values that differ only in between collide.
std::uint64_t fingerprint(std::string_view raw) {
  constexpr std::size_t word = 8;
  std::uint64_t mixed = raw.size() * 0x9E3779B97F4A7C15U;
  const auto mix = [&](std::uint64_t more) {
    mixed = (mixed ^ more) * 0xD6E8FEB86659FD93U;
    mixed ^= mixed >> 32U;
  };
  if (raw.size() < word) {
    mix(word_at(raw.data(), raw.size()));
    return mixed;
  }
  const char* const end = raw.data() + raw.size();
  for (std::size_t at = 0; at < 2 * word && at + word <= raw.size(); at += word) {
    mix(word_at(raw.data() + at, word));
    mix(word_at(end - at - word, word));
  }
  return mixed;
}

void count_value(Field& field, View value, std::string_view raw, const Place& place,
                 std::uint64_t hash) {
  if (!field.countable) return;
  for (ValueCount& known : field.values) {
    if (known.fingerprint == hash && known.raw == raw) {
      ++known.count;
      if (known.after.size() + 1 == kFirstPlaces) return;
      const Place& last = known.after.empty() ? known.first : known.after.back();
      if (last.position == place.position) return;
      if (known.after.empty()) known.after.reserve(kFirstPlaces - 1);
      known.after.push_back(place);
      return;
    }
  }
  if (field.values.size() == kMostValues || raw.size() > kLongestValue) {
    field.countable = false;
    field.values.clear();
    return;
  }
  if (field.values.empty()) field.values.reserve(kMostValues);
  field.values.push_back({value, raw, hash, 1, place, {}});
}

// Fast path for short integers. nullopt: beyond the range of double.
std::optional<double> number_of(View value, std::string_view raw) {
  const bool negative = raw[0] == '-';
  if (raw.size() > 15) return value.real();
  std::int64_t whole = 0;
  for (const char c : raw.substr(negative ? 1 : 0)) {
    if (!is_digit(c)) return value.real();
    whole = whole * 10 + (c - '0');
  }
  return static_cast<double>(negative ? -whole : whole);
}

// Compares by double, and exactly by text if the doubles are equal.
bool is_less(double a, std::string_view a_raw, double b, std::string_view b_raw) {
  if (a != b || a_raw == b_raw) return a < b;
  return json::Number(a_raw) < json::Number(b_raw);
}

void widen_number_range(Field& field, View value, std::string_view raw) {
  constexpr double beyond = std::numeric_limits<double>::infinity();
  const double number = number_of(value, raw).value_or(raw[0] == '-' ? -beyond : beyond);
  const bool is_first = field.numbers == 1;  // lowest and highest may hold a string
  if (is_first || is_less(number, raw, field.low, field.lowest->raw())) {
    field.low = number, field.lowest = value;
  }
  if (is_first || is_less(field.high, field.highest->raw(), number, raw)) {
    field.high = number, field.highest = value;
  }
}

bool begins_like_date(std::string_view source) {
  return source.size() >= 10 && source[4] == '-' && source[7] == '-' &&
         std::all_of(source.begin(), source.begin() + 4, is_digit);
}

// A range of strings is meaningful only if they have one length, like padded numbers, or are dates.
void widen_string_range(Field& field, View value, std::string_view source) {
  if (field.numbers != 0) return;
  if (!field.lowest) field.lowest = field.highest = value;
  const std::string_view lowest = field.lowest->string_source();
  field.ordered =
      field.ordered &&
      (source.size() == lowest.size() || (begins_like_date(source) && begins_like_date(lowest))) &&
      !value.has_escapes();
  if (source < lowest) {
    field.lowest = value;
  } else if (source > field.highest->string_source()) {
    field.highest = value;
  }
}

// Counts the strings of a list of strings; any other container makes the field uncountable.
void add_container(Field& field, View value, const Place& place) {
  ++field.nested;
  field.empty += value.size() == 0 ? 1 : 0;
  if (!value.is_array()) field.countable = false, field.values.clear();
  if (!field.countable) return;
  for (const View item : value.items()) {
    if (!item.is_string()) field.countable = false, field.values.clear();
    const std::string_view raw = item.raw();
    if (field.countable) count_value(field, item, raw, place, fingerprint(raw));
  }
}

void add_value(Field& field, View value, const Place& place) {
  const std::string_view raw = value.raw();
  ++field.present;
  if (raw[0] == 'n') {
    ++field.nulls;
    return;
  }
  field.bytes += raw.size();
  if (field.first.size() < kFirstPlaces) {
    if (field.first.empty()) field.first.reserve(kFirstPlaces);
    field.first.push_back(place);
    if (field.priced.empty()) field.priced.reserve(kPriced);
    if (field.priced.size() < kPriced) field.priced.push_back(value);
  }
  const bool sampled = field.sample.size() < kSample;
  const std::uint64_t hash = sampled || field.countable ? fingerprint(raw) : 0;
  if (sampled) {
    if (field.sample.empty()) field.sample.reserve(kSample);
    field.sample.push_back(hash);
  }
  switch (raw[0]) {
    case '{':
    case '[': add_container(field, value, place); return;
    case '"': {
      const std::string_view source = raw.substr(1, raw.size() - 2);
      ++field.strings;
      field.empty += source.empty() ? 1 : 0;
      field.opaque += is_opaque(source) ? 1 : 0;
      widen_string_range(field, value, source);
      break;
    }
    case 't':
    case 'f': break;
    default: ++field.numbers; widen_number_range(field, value, raw);
  }
  count_value(field, value, raw, place, hash);
}

class Surveyor {
 public:
  explicit Surveyor(Survey& survey) : survey_(survey) {}

  void add_item(const Place& place) {
    if (!place.item.is_object()) {
      survey_.uniform = false;
      if (place.item.is_string() && has_failure_word(place.item.string_source())) {
        ++survey_.failing_count;
        if (survey_.failing.size() < 4 * kFirstPlaces) survey_.failing.push_back(place);
      }
      return;
    }
    ++survey_.objects;
    std::size_t column = 0;
    for (const auto& [key, value] : place.item.members()) {
      const std::size_t at = find_or_add(key, column++);
      if (at == kMostFields) continue;
      Field& field = survey_.fields[at];
      if (field.last_position == place.position) {  // a repeated key counts once
        survey_.uniform = false;
        continue;
      }
      field.last_position = place.position;
      add_value(field, value, place);
    }
    if (column != survey_.fields.size()) survey_.uniform = false;
  }

 private:
  // The index of the field, which is added if it is new; kMostFields: there are too many.
  std::size_t find_or_add(View key, std::size_t column) {
    const std::string_view raw = key.raw();
    if (column < survey_.fields.size() && survey_.fields[column].raw_key == raw) return column;
    if (const auto known = by_key_.find(raw); known != by_key_.end()) {
      survey_.uniform = false;
      return known->second;
    }
    if (survey_.objects > 1 || survey_.fields.size() == kMostFields) survey_.uniform = false;
    if (survey_.fields.size() == kMostFields) return kMostFields;
    if (survey_.fields.empty()) survey_.fields.reserve(kReservedFields);
    by_key_.emplace(raw, survey_.fields.size());
    Field& field = survey_.fields.emplace_back();
    field.key = key;
    field.raw_key = raw;
    return survey_.fields.size() - 1;
  }

  Survey& survey_;
  std::unordered_map<std::string_view, std::size_t> by_key_;
};

bool is_one_of(View key, std::initializer_list<std::string_view> names) {
  const std::string_view source = key.string_source();
  return std::find(names.begin(), names.end(), source) != names.end();
}

double distinct_share(const Field& field) {
  if (field.sample.empty()) return 0;              // only nulls
  std::array<std::uint64_t, 4 * kSample> known{};  // open addressing; 0 is free
  std::size_t distinct = 0;
  for (const std::uint64_t hash : field.sample) {
    std::size_t at = hash % known.size();
    while (known[at] != 0 && known[at] != (hash | 1)) at = (at + 1) % known.size();
    if (known[at] != 0) continue;
    known[at] = hash | 1;
    ++distinct;
  }
  return static_cast<double>(distinct) / static_cast<double>(field.sample.size());
}

// Average tokens of the sampled values, each shortened to kPricedBytes; 1e9 if there are none.
double average_cost(const Field& field, const Counter& counter) {
  std::int64_t total = 0;
  for (const View value : field.priced)
    total += counter.tokens(value.raw().substr(0, kPricedBytes));
  return field.priced.empty()
             ? 1e9
             : static_cast<double>(total) / static_cast<double>(field.priced.size());
}

// Usually below average_cost, without counting tokens: few values have longer tokens on average.
double least_cost(const Field& field) {
  constexpr std::size_t long_token = 8;  // bytes
  std::size_t bytes = 0;
  for (const View value : field.priced) bytes += std::min(value.raw().size(), kPricedBytes);
  return static_cast<double>(bytes) /
         static_cast<double>(long_token * std::max<std::size_t>(field.priced.size(), 1));
}

// The member of the policy; else the cheapest string or integer that is present in all items and
// unique in the sample. Common names of ids are preferred; penalties are tokens.
void choose_id(Survey& survey, const Policy& policy, const Counter& counter) {
  double best = 1e9;
  for (std::size_t i = 0; i < survey.fields.size(); ++i) {
    const Field& field = survey.fields[i];
    if (!policy.id.empty()) {
      if (field.key.equals(policy.id)) survey.id = i;
      continue;
    }
    if (field.present != survey.objects || !(field.all_strings() || field.all_numbers()) ||
        field.empty > 0 || distinct_share(field) < 1) {
      continue;
    }
    if (field.all_numbers() && !field.lowest->integer()) continue;
    double penalty = 0;
    if (is_one_of(field.key,
                  {"id", "number", "key", "uuid", "slug", "path", "name", "sha", "code"})) {
      penalty -= 4;
    }
    if (field.strings > 0 && field.bytes / field.strings > 60) penalty += 40;
    if (least_cost(field) + penalty >= best) continue;
    const double cost = average_cost(field, counter) + penalty;
    if (cost < best) best = cost, survey.id = i;
  }
}

// Judges by the highest value: more than half of its bytes are letters.
bool reads_as_text(const Field& field) {
  if (!field.all_strings() || field.opaque * 2 > field.strings) return false;
  const std::string_view text = field.highest->string_source();
  return std::count_if(text.begin(), text.end(), is_letter) * 2 >
         static_cast<std::ptrdiff_t>(text.size());
}

// The member of the policy; else the cheapest text in nine of ten items that distinguishes them.
// Common names of labels are preferred; penalties are tokens.
void choose_label(Survey& survey, const Policy& policy, const Counter& counter) {
  double best = 1e9;
  for (std::size_t i = 0; i < survey.fields.size(); ++i) {
    const Field& field = survey.fields[i];
    if (!policy.label.empty()) {
      if (field.key.equals(policy.label)) survey.label = i;
      continue;
    }
    if (survey.id == i || field.present * 10 < survey.objects * 9 || !field.highest ||
        field.highest->raw().size() <= 2 || !reads_as_text(field)) {
      continue;
    }
    const double share = distinct_share(field);
    if (share < 0.1) continue;
    double penalty = 40 * (1 - share);
    if (is_one_of(field.key, {"title", "name", "subject", "summary", "message", "msg", "label",
                              "headline", "path"})) {
      penalty -= 40;
    }
    if (field.highest->raw().find(' ') == std::string_view::npos) penalty += 8;
    if (least_cost(field) + penalty >= best) continue;
    const double cost = average_cost(field, counter) + penalty;
    if (cost < best) best = cost, survey.label = i;
  }
}

}  // namespace

Survey survey_list(View list, std::size_t head, const Policy& policy, const Counter& counter) {
  Survey survey;
  survey.count = list.size();
  Surveyor surveyor(survey);
  Place place;
  for (const View item : list.items()) {
    place.item = item;
    if (survey.head.size() < head) survey.head.push_back(place);
    surveyor.add_item(place);
    survey.last = place;
    ++place.position;
  }
  if (survey.objects == 0) survey.uniform = false;
  if (survey.objects == survey.count) {
    choose_id(survey, policy, counter);
    choose_label(survey, policy, counter);
  }
  return survey;
}

std::vector<Place> exceptional_items(const Survey& survey, std::size_t most) {
  // Failing items come before rare ones.
  std::vector<Place> failing = survey.failing;
  std::vector<Place> rare;
  if (survey.count >= 12) {  // in shorter lists every value is rare
    const std::size_t few = std::max<std::size_t>(2, survey.count / 20);
    for (const Field& field : survey.fields) {
      if (field.not_null() > 0 && field.not_null() <= few) {
        rare.insert(rare.end(), field.first.begin(), field.first.end());
      }
      if (!field.countable || field.values.size() < 2) continue;
      for (const ValueCount& value : field.values) {
        const bool fails = value.count <= survey.count / 4 && has_failure_word(value.value.raw());
        if (!fails && value.count > few) continue;
        std::vector<Place>& places = fails ? failing : rare;
        places.push_back(value.first);
        places.insert(places.end(), value.after.begin(), value.after.end());
      }
    }
  }
  for (std::vector<Place>* places : {&failing, &rare}) {
    std::sort(places->begin(), places->end(),
              [](const Place& a, const Place& b) { return a.position < b.position; });
  }
  failing.insert(failing.end(), rare.begin(), rare.end());
  std::vector<Place> places;
  std::unordered_set<std::uint32_t> known;
  for (const Place& place : failing) {
    if (places.size() == most) break;
    if (known.insert(place.position).second) places.push_back(place);
  }
  return places;
}

}  // namespace enfold::budget::detail
