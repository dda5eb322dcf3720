// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/budget/survey/survey.h"
#include "enfold/json/number.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr std::size_t kMostValues = 16;    // distinct values; a field with more is not countable
constexpr std::size_t kLongestValue = 42;  // bytes with quotes; longer: not countable
constexpr std::size_t kFirstPlaces = 16;   // records remembered for each value and field
constexpr std::size_t kSample = 128;       // values sampled to find out whether they are distinct
constexpr std::size_t kPriced = 4;         // values sampled for the cost of a field
constexpr std::size_t kStepSample = 8;     // values from which the step of a series is taken
constexpr std::size_t kMostBreaks = 12;    // of a series

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
    if (known.fingerprint != hash || known.raw != raw) continue;
    if (known.last == place.position) return;  // the record holds it twice
    known.last = place.position;
    ++known.count;
    if (known.after.size() + 1 == kFirstPlaces) return;
    if (known.after.empty()) known.after.reserve(kFirstPlaces - 1);
    known.after.push_back(place);
    return;
  }
  if (field.values.size() == kMostValues || raw.size() > kLongestValue) {
    field.countable = false;
    field.values.clear();
    return;
  }
  if (field.values.empty()) field.values.reserve(kMostValues);
  field.values.push_back({value, raw, hash, 1, place, {}, place.position});
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

// The text of a number, which may stand in a string.
std::string_view digits_of(View value) {
  return value.is_string() ? value.string_source() : value.raw();
}

void widen(Field& field, View value, double number, const Place& place) {
  const std::size_t seen = field.numbers + field.numeric_strings;
  const bool is_first = seen == 1;  // lowest and highest may hold a time
  const std::string_view raw = digits_of(value);
  if (is_first || is_less(number, raw, field.low, digits_of(*field.lowest))) {
    field.low = number, field.lowest = value, field.lowest_at = place;
  }
  if (is_first || is_less(field.high, digits_of(*field.highest), number, raw)) {
    field.high = number, field.highest = value, field.highest_at = place;
  }
  const double change = number - field.mean;
  field.mean += change / static_cast<double>(seen);
  field.squares += change * (number - field.mean);
}

void add_number(Field& field, View value, std::string_view raw, const Place& place) {
  constexpr double beyond = std::numeric_limits<double>::infinity();
  ++field.numbers;
  widen(field, value, number_of(value, raw).value_or(raw[0] == '-' ? -beyond : beyond), place);
}

// A string of digits as JSON writes a number; "007" and "1e5" are none.
bool is_plain_number(std::string_view source) {
  if (source.starts_with('-')) source.remove_prefix(1);
  if (source.empty() || source.size() > 15 || !is_digit(source.front())) return false;
  if (source.size() > 1 && source[0] == '0' && source[1] != '.') return false;
  const std::size_t point = source.find('.');
  if (point != std::string_view::npos && point + 1 == source.size()) return false;
  return std::count(source.begin(), source.end(), '.') <= 1 &&
         std::all_of(source.begin(), source.end(), [](char c) { return is_digit(c) || c == '.'; });
}

void add_numeric_string(Field& field, View value, std::string_view source, const Place& place) {
  double number = 0;
  std::from_chars(source.data(), source.data() + source.size(), number);
  ++field.numeric_strings;
  widen(field, value, number, place);
}

// The distance that most of the neighbours among the first values have.
std::int64_t usual_step(const Series& series) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < series.first.size(); ++i) {
    steps.push_back(series.first[i].first - series.first[i - 1].first);
  }
  std::sort(steps.begin(), steps.end());
  std::int64_t usual = 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t next = i;
    while (next < steps.size() && steps[next] == steps[i]) ++next;
    if (next - i > most) most = next - i, usual = steps[i];
    i = next;
  }
  return usual;
}

void follow(Series& series, std::int64_t at, View value) {
  if (at - series.previous != *series.step) {
    ++series.break_count;
    if (series.breaks.size() < kMostBreaks) series.breaks.push_back({series.last_value, value});
  }
  series.previous = at;
  series.last_value = value;
}

void add_to_series(Series& series, std::int64_t at, View value) {
  constexpr std::int64_t far = std::int64_t{1} << 61;  // differences of others could overflow
  if (at > far || at < -far || series.break_count > kMostBreaks) {
    series.break_count = kMostBreaks + 1;  // not a series
    return;
  }
  ++series.seen;
  if (series.step) return follow(series, at, value);
  series.first.emplace_back(at, value);
  if (series.first.size() < kStepSample) return;
  series.step = usual_step(series);
  series.previous = series.first.front().first;
  series.first_value = series.last_value = series.first.front().second;
  for (std::size_t i = 1; i < series.first.size(); ++i) {
    follow(series, series.first[i].first, series.first[i].second);
  }
}

void add_time(Field& field, View value, std::string_view source, const Place& place) {
  const auto moment = field.all_times ? read_moment(source) : std::nullopt;
  if (!moment || (field.time_form && *field.time_form != moment->form)) {
    field.all_times = false;
    return;
  }
  const bool is_first = !field.time_form;
  field.time_form = moment->form;
  const std::int64_t at = moment->microseconds;
  if (!field.in_array) add_to_series(field.series, at, value);
  if (field.numbers + field.numeric_strings > 0) return;  // lowest and highest are numbers
  if (is_first || at < field.earliest) {
    field.earliest = at, field.lowest = value, field.lowest_at = place;
  }
  if (is_first || at > field.latest) {
    field.latest = at, field.highest = value, field.highest_at = place;
  }
}

void add_string(Field& field, View value, std::string_view raw, const Place& place) {
  const std::string_view source = raw.substr(1, raw.size() - 2);
  ++field.strings;
  field.empty += source.empty() ? 1 : 0;
  field.opaque += is_opaque(source) ? 1 : 0;
  if (is_plain_number(source)) return add_numeric_string(field, value, source, place);
  if (field.all_times) add_time(field, value, source, place);
}

void add_container(Field& field, View value, const Place& place) {
  ++(value.is_array() ? field.arrays : field.objects);
  const std::size_t size = value.size();
  field.empty += size == 0 ? 1 : 0;
  if (field.nested() == 1 || size > field.longest) field.longest_at = place;
  field.longest = std::max(field.longest, size);
  field.shortest = std::min(field.shortest, size);
}

void remember(Field& field, View value, std::uint64_t hash, const Place& place) {
  if (field.first.size() < kFirstPlaces) {
    if (field.first.empty()) field.first.reserve(kFirstPlaces);
    field.first.push_back(place);
    if (field.priced.empty()) field.priced.reserve(kPriced);
    if (field.priced.size() < kPriced) field.priced.push_back(value);
  }
  if (field.sample.size() < kSample) {
    if (field.sample.empty()) field.sample.reserve(kSample);
    field.sample.push_back(hash);
  }
}

}  // namespace

void add_value(Field& field, View value, const Place& place) {
  const std::string_view raw = value.raw();
  if (field.last_position != place.position) ++field.present;
  field.last_position = place.position;
  if (raw[0] == 'n') {
    ++field.nulls;
    return;
  }
  field.bytes += raw.size();
  const bool is_nested = raw[0] == '{' || raw[0] == '[';
  const bool hashed = !is_nested && (field.sample.size() < kSample || field.countable);
  const std::uint64_t hash = hashed ? fingerprint(raw) : 0;
  remember(field, value, hash, place);
  switch (raw[0]) {
    case '{':
    case '[': add_container(field, value, place); break;
    case '"': add_string(field, value, raw, place); break;
    case 't':
    case 'f': ++field.booleans; break;
    default:
      add_number(field, value, raw, place);
      if (!field.in_array) {
        const auto whole = value.integer();
        if (whole) add_to_series(field.series, *whole, value);
      }
  }
  if (!is_nested) return count_value(field, value, raw, place, hash);
  field.countable = false;
  field.values.clear();
}

// Every record has a value, and nearly all have the distance of the others to the one before.
bool Field::is_series() const {
  const bool regular = series.step && *series.step != 0 && series.break_count <= kMostBreaks &&
                       series.break_count * 20 <= series.seen;
  return regular && nulls == 0 && series.seen == present && (all_numbers() || has_times());
}

}  // namespace enfold::budget::detail
