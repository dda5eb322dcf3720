// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/budget/survey/survey.h"
#include "enfold/json/number.h"
#include "enfold/json/write.h"

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
constexpr std::size_t kSampleFingerprints =
    128;                                     // values sampled to find out whether they are distinct
constexpr std::size_t kSampleValues = 4;     // values sampled for the cost of a field
constexpr std::size_t kStepSample = 8;       // values from which the step of a series is taken
constexpr std::size_t kMostBreaks = 12;      // of a series
constexpr std::size_t kMostWords = 4;        // distinct words that are counted (Field::words)
constexpr std::size_t kMostNotTimes = 6;     // strings among times that are something else
constexpr std::uint64_t kNoFingerprint = 0;  // of ValueCounts that are looked up by their text

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

// The count of a value that was seen once so far.
ValueCount first_count(View value, std::string_view raw, std::uint64_t fingerprint,
                       const Place& place) {
  return {.value = value,
          .raw = raw,
          .fingerprint = fingerprint,
          .count = 1,
          .items = 1,
          .first = place,
          .after = {},
          .last = place.position};
}

// Counts the value in Field::values. `hash`: its fingerprint.
void count_value(Field& field, View value, std::string_view raw, const Place& place,
                 std::uint64_t hash) {
  if (!field.countable) return;
  for (ValueCount& known : field.values) {
    if (known.fingerprint != hash || !is_same_value(known.value, value)) continue;
    ++known.items;
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
  field.values.push_back(first_count(value, raw, hash, place));
}

struct ReadNumber {
  double number = 0;
  std::optional<std::int64_t> whole{};  ///< nullopt: not a whole number, or too large
  std::size_t decimals = 0;             ///< digits after the point
};

// Reads digits with at most one point, as most numbers are. Up to 15 digits and the power of ten
// are exact as double, so their quotient is the nearest double. nullopt: another form.
std::optional<ReadNumber> read_short_number(std::string_view text) {
  static constexpr double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (text.size() > 15) return std::nullopt;
  const bool negative = text.starts_with('-');
  std::int64_t digits = 0;
  std::size_t point = text.size();
  for (std::size_t i = negative ? 1 : 0; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      digits = digits * 10 + (text[i] - '0');
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return std::nullopt;
    }
  }
  if (point == text.size()) {
    const std::int64_t whole = negative ? -digits : digits;
    return ReadNumber{.number = static_cast<double>(whole), .whole = whole, .decimals = 0};
  }
  const std::size_t decimals = text.size() - point - 1;
  const double number = static_cast<double>(digits) / powers[decimals];
  return ReadNumber{
      .number = negative ? -number : number, .whole = std::nullopt, .decimals = decimals};
}

// The number of a JSON number; infinite beyond the range of double.
ReadNumber number_of(View value, std::string_view raw) {
  if (const auto number = read_short_number(raw)) return *number;
  constexpr double beyond = std::numeric_limits<double>::infinity();
  return {.number = value.real().value_or(raw[0] == '-' ? -beyond : beyond),
          .whole = value.integer(),
          .decimals = 0};
}

// Adds a number, which is counted already, to lowest, highest, mean and squares.
void widen(Field& field, View value, std::string_view digits, double number, const Place& place) {
  const std::size_t seen = field.numbers + field.numeric_strings;
  if (seen == 1) field.lowest.clear(), field.highest.clear();  // they may hold times so far
  const Ranked one{.number = number, .text = digits, .value = value, .place = place};
  field.lowest.add(one);
  field.highest.add(one);
  const double change = number - field.mean;
  field.mean += change / static_cast<double>(seen);
  field.squares += change * (number - field.mean);
}

// Reads a string that is a number as JSON writes it. nullopt: another string, such as "007", or one
// with an exponent.
std::optional<ReadNumber> read_plain_number(std::string_view source) {
  std::string_view digits = source;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  if (digits.empty() || !is_digit(digits.front()) || digits.ends_with('.')) return std::nullopt;
  if (digits.size() > 1 && digits[0] == '0' && digits[1] != '.') return std::nullopt;
  auto number = read_short_number(digits);
  if (number && digits.size() < source.size()) number->number = -number->number;
  return number;
}

// Whether the string has digits in groups of three: 3,217.25 or 1,284,990.
bool is_grouped_number(std::string_view source) {
  if (source.starts_with('-')) source.remove_prefix(1);
  const std::size_t comma = source.find(',');
  if (comma == 0 || comma > 3 || source.size() > 20 || source.front() == '0') return false;
  const std::size_t point = std::min(source.find('.'), source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool separates = i < point && i >= comma && (i - comma) % 4 == 0;
    if (i != point && (separates ? source[i] != ',' : !is_digit(source[i]))) return false;
  }
  return (point - comma) % 4 == 0 && point + 1 != source.size();
}

void add_grouped_number(Field& field, View value, std::string_view source, const Place& place) {
  std::string plain(source);
  std::erase(plain, ',');
  double number = 0;
  std::from_chars(plain.data(), plain.data() + plain.size(), number);
  const std::size_t point = plain.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : plain.size() - point - 1;
  if (field.numeric_strings++ == 0) field.decimals = decimals;
  field.same_decimals = field.same_decimals && decimals == field.decimals;
  ++field.grouped;
  // "3,217" alone may have a decimal comma.
  field.surely_grouped =
      field.surely_grouped || decimals > 0 || std::ranges::count(source, ',') > 1;
  widen(field, value, source, number, place);
}

void add_numeric_string(Field& field, View value, std::string_view source, const ReadNumber& read,
                        const Place& place) {
  if (field.numeric_strings++ == 0) field.decimals = read.decimals;
  field.same_decimals = field.same_decimals && read.decimals == field.decimals;
  widen(field, value, source, read.number, place);
}

// The most frequent distance between neighbours among the first values.
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

// Compares a value, as number `at`, with the one before: counts a break unless they differ by the
// step.
void follow(Series& series, std::int64_t at, View value) {
  if (at - series.last_followed != *series.step) {
    ++series.break_count;
    if (series.breaks.size() < kMostBreaks) series.breaks.push_back({series.last_value, value});
  }
  series.last_followed = at;
  series.last_value = value;
}

void add_to_series(Series& series, std::int64_t at, View value) {
  constexpr std::int64_t far = std::int64_t{1} << 61;  // differences of larger values may overflow
  if (series.seen_all++ > 0) {
    series.rises = series.rises && at >= series.last;
    series.falls = series.falls && at <= series.last;
    series.stays = series.stays || at == series.last;
  }
  series.last = at;
  if (at > far || at < -far || series.break_count > kMostBreaks) {
    series.break_count = kMostBreaks + 1;  // not a series
    return;
  }
  ++series.seen;
  if (series.step) return follow(series, at, value);
  series.first.emplace_back(at, value);
  if (series.first.size() < kStepSample) return;
  series.step = usual_step(series);
  series.last_followed = series.first.front().first;
  series.first_value = series.last_value = series.first.front().second;
  for (std::size_t i = 1; i < series.first.size(); ++i) {
    follow(series, series.first[i].first, series.first[i].second);
  }
}

// Adds a string that is no time, in a field whose strings may be times.
void add_not_time(Field& field, View value, const Place& place) {
  const std::string_view raw = value.raw();
  const auto known = std::ranges::find(field.not_times, raw, &ValueCount::raw);
  if (known != field.not_times.end()) {
    ++known->count;
    known->after.push_back(place);
  } else {
    field.not_times.push_back(first_count(value, raw, kNoFingerprint, place));
  }
  std::size_t count = 0;
  for (const ValueCount& one : field.not_times) count += one.count;
  const bool short_enough = raw.size() <= kLongestValue && !value.has_escapes();
  if (count <= kMostNotTimes && short_enough && !field.in_array) return;
  field.may_be_times = false;
  field.not_times.clear();
}

void add_time(Field& field, View value, std::string_view source, const Place& place) {
  const auto moment = read_moment(source);
  if (!moment) return add_not_time(field, value, place);
  if (field.time_form && *field.time_form != moment->form) {  // they cannot be compared
    field.may_be_times = false;
    field.not_times.clear();
    return;
  }
  field.time_form = moment->form;
  ++field.times;
  field.day_first = field.day_first || moment->day_first;
  const std::int64_t at = moment->microseconds;
  if (!field.in_array) add_to_series(field.series, at, value);
  if (field.numbers + field.numeric_strings > 0) return;  // lowest and highest are numbers
  const Ranked one{
      .number = static_cast<double>(at), .exact = at, .text = {}, .value = value, .place = place};
  field.lowest.add(one);
  field.highest.add(one);
}

// Counts a string without digits in Field::words, such as "never" or "n/a" among times.
void add_word(Field& field, View value, std::string_view raw, const Place& place) {
  const bool escaped = value.has_escapes();  // digits may belong to an escape, not to the text
  if (!escaped && std::ranges::any_of(raw, is_digit)) return;
  const auto known = std::ranges::find(field.words, raw, &ValueCount::raw);
  if (known != field.words.end()) {
    known->count += known->last == place.position ? 0 : 1;
    known->last = place.position;
  } else {
    field.words.push_back(first_count(value, raw, kNoFingerprint, place));
  }
  if (field.words.size() <= kMostWords && raw.size() <= kLongestValue && !escaped) return;
  field.few_words = false;
  field.words.clear();
}

void add_string(Field& field, View value, std::string_view raw, const Place& place) {
  const std::string_view source = raw.substr(1, raw.size() - 2);
  ++field.strings;
  if (field.few_words) add_word(field, value, raw, place);
  field.empty += source.empty() ? 1 : 0;
  field.opaque += is_opaque(source) ? 1 : 0;  // links and long machine ids
  if (const auto number = read_plain_number(source)) {
    return add_numeric_string(field, value, source, *number, place);
  }
  if (source.substr(0, 5).find(',') < 5 && is_grouped_number(source))
    return add_grouped_number(field, value, source, place);
  if (field.may_be_times) add_time(field, value, source, place);
}

void add_container(Field& field, View value, const Place& place) {
  ++(value.is_array() ? field.arrays : field.objects);
  const std::size_t size = value.size();
  field.empty += size == 0 ? 1 : 0;
  field.items += size;
  field.longest.add({.number = static_cast<double>(size),
                     .exact = static_cast<std::int64_t>(size),
                     .text = {},
                     .value = value,
                     .place = place});
  field.shortest = std::min(field.shortest, size);
}

// The index in Field::types() of a value that begins with this character; not of null.
std::size_t type_of(char first) {
  switch (first) {
    case '"': return 1;
    case 't':
    case 'f': return 2;
    case '[': return 3;
    case '{': return 4;
    default: return 0;
  }
}

// Fills Field::type_at once a second type is seen: with up to kFew + 1 records of each type; those
// of the first type come from `field.first`, or none of them if it has more than kFew. Called
// before the value is counted: types() and not_null() are about the values before it.
void add_type(Field& field, std::size_t type, const Place& place) {
  const auto bit = static_cast<std::uint8_t>(1U << type);
  if ((field.seen_types |= bit) == bit) return;  // only one type so far
  if (field.type_at.empty()) {
    const std::array<std::size_t, 5> before = field.types();
    const std::size_t seen = field.not_null();
    field.type_at.resize(before.size());
    const auto first = static_cast<std::size_t>(std::ranges::max_element(before) - before.begin());
    if (seen <= kFew) {
      field.type_at[first].assign(field.first.begin(),
                                  field.first.begin() + static_cast<std::ptrdiff_t>(seen));
    }
  }
  if (field.type_at[type].size() <= kFew) field.type_at[type].push_back(place);
}

// Adds a number in an array to the sum of its record. The values of a record come one after the
// other.
void add_to_total(Field& field, std::optional<std::int64_t> whole, const Place& place) {
  constexpr std::int64_t most = std::int64_t{1} << 50;
  if (field.numbers == 1 || field.total_of.position != place.position) {
    finish_total(field);
    field.total_of = place;
    field.total = 0;
  }
  field.total += whole.value_or(0);
  const bool small = whole && *whole < most && *whole > -most && std::abs(field.total) < most;
  if (!small) field.has_totals = false;
}

void add_number(Field& field, View value, std::string_view raw, const Place& place) {
  ++field.numbers;
  const ReadNumber read = number_of(value, raw);
  widen(field, value, raw, read.number, place);
  if (!field.in_array) {
    if (read.whole) add_to_series(field.series, *read.whole, value);
  } else if (field.has_totals) {
    add_to_total(field, read.whole, place);
  }
}

// Remembers which records between the last one with the field and this one lack it.
void add_absent(Field& field, std::uint32_t position) {
  for (std::uint32_t at = field.last_position + 1; at < position && field.absent.size() <= kFew;
       ++at) {
    field.absent.push_back(at);
  }
}

// Keeps the record and the value among the first ones and in the samples, while these have room.
void remember(Field& field, View value, std::uint64_t hash, const Place& place) {
  if (field.first.size() < kFirstPlaces) {
    if (field.first.empty()) field.first.reserve(kFirstPlaces);
    field.first.push_back(place);
    if (field.sample_values.empty()) field.sample_values.reserve(kSampleValues);
    if (field.sample_values.size() < kSampleValues) field.sample_values.push_back(value);
  }
  if (field.sample_fingerprints.size() < kSampleFingerprints) {
    if (field.sample_fingerprints.empty()) field.sample_fingerprints.reserve(kSampleFingerprints);
    field.sample_fingerprints.push_back(hash);
  }
}

}  // namespace

std::string_view usual_spelling(View value, std::string& buffer) {
  if (!value.is_string() || !value.has_escapes()) return value.raw();
  return buffer = json::quote(value.string());
}

bool is_same_value(View a, View b) {
  if (a.raw() == b.raw()) return true;
  if (!a.is_string() || !b.is_string() || (!a.has_escapes() && !b.has_escapes())) return false;
  return a.string() == b.string();
}

void finish_total(Field& field) {
  if (!field.in_array || field.numbers == 0 || !field.has_totals) return;
  const auto number = static_cast<double>(field.total);
  if (!field.total_of.item.is_null()) {
    field.totals.add({.number = number,
                      .exact = field.total,
                      .text = {},
                      .value = field.total_of.item,
                      .place = field.total_of});
  }
}

void add_value(Field& field, View value, const Place& place) {
  const std::string_view raw = value.raw();
  if (field.last_position != place.position) {
    ++field.present;
    add_absent(field, place.position);
    field.last_position = place.position;
  }
  if (raw[0] == 'n') {
    if (field.nulls++ == 0 || field.last_null != place.position) ++field.null_records;
    field.last_null = place.position;
    if (field.null_at.size() <= kFew) field.null_at.push_back(place);
    return;
  }
  field.bytes += raw.size();
  const bool is_nested = raw[0] == '{' || raw[0] == '[';
  const bool hashed =
      !is_nested && (field.sample_fingerprints.size() < kSampleFingerprints || field.countable);
  std::string respelled;
  const std::uint64_t hash = hashed ? fingerprint(usual_spelling(value, respelled)) : 0;
  if (!field.in_array) add_type(field, type_of(raw[0]), place);
  remember(field, value, hash, place);
  switch (raw[0]) {
    case '{':
    case '[': add_container(field, value, place); break;
    case '"': add_string(field, value, raw, place); break;
    case 't':
    case 'f': ++field.booleans; break;
    default: add_number(field, value, raw, place);
  }
  if (!is_nested) return count_value(field, value, raw, place, hash);
  field.countable = false;
  field.values.clear();
}

bool Field::has_numbers() const {
  std::size_t word_count = 0;
  for (const ValueCount& word : words) word_count += word.count;
  const bool may_be_words = !in_array && word_count * 4 <= not_null();
  const std::size_t all = numbers + numeric_strings;
  const std::size_t explained = all + (may_be_words ? word_count : 0);
  if (all == 0 || explained != not_null() || (grouped > 0 && !surely_grouped)) return false;
  // "1.10" is above "1.9" as a version and below it as a number. JSON numbers in the same field
  // show that these are numbers too.
  return numbers > 0 || same_decimals;
}

bool Field::has_most_times() const {
  if (!all_strings() || !may_be_times || !time_form || numeric_strings > 0) return false;
  const bool slashed = *time_form == TimeForm::slashed || *time_form == TimeForm::slashed_local;
  if (slashed && !day_first) return false;  // the month may come first
  return times > 4 * (strings - times);
}

bool Field::is_sorted() const {
  if (in_array || nulls > 0 || !(all_numbers() || has_times())) return false;
  return series.seen_all == not_null() && present > 1 && (series.rises || series.falls);
}

// Every record has a value, and nearly every value differs from the one before by the same step.
bool Field::is_series() const {
  const bool regular = series.step && *series.step != 0 && series.break_count <= kMostBreaks &&
                       series.break_count * 20 <= series.seen;
  return regular && nulls == 0 && series.seen == present && (all_numbers() || has_times());
}

}  // namespace enfold::budget::detail
