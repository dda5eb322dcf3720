// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/survey/moment.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <chrono>

namespace enfold::budget::detail {
namespace {

constexpr std::int64_t kSecond = 1'000'000;  // microseconds
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;

// The functions take_… remove what they read from the front of `text`.

// A number of exactly `digits` digits; nullopt: something else.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, digits)) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(digits);
  return number;
}

// True: the text began with `c`.
bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Microseconds since 1970-01-01; nullopt: there is no such day.
std::optional<std::int64_t> midnight(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * 24 * kHour;
}

// The number of the two digits at `at`; -1 if one of the bytes is no digit.
int two_digits(std::string_view text, std::size_t at) {
  return is_digit(text[at]) && is_digit(text[at + 1]) ? (text[at] - '0') * 10 + text[at + 1] - '0'
                                                      : -1;
}

// 2026-01-31; nullopt: something else, or no such day.
std::optional<std::int64_t> take_date(std::string_view& text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int century = two_digits(text, 0);
  const int year = two_digits(text, 2);
  const int month = two_digits(text, 5);
  const int day = two_digits(text, 8);
  if (std::min({century, year, month, day}) < 0) return std::nullopt;
  text.remove_prefix(10);
  return midnight(century * 100 + year, month, day);
}

// hh:mm, hh:mm:ss, up to six decimals after a point or a comma; nullopt: something else.
std::optional<std::int64_t> take_clock(std::string_view& text) {
  if (text.size() < 5 || text[2] != ':') return std::nullopt;
  const int hour = two_digits(text, 0);
  const int minute = two_digits(text, 3);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
  text.remove_prefix(5);
  std::int64_t clock = hour * kHour + minute * kMinute;
  if (!take(text, ':')) return clock;
  const int second = text.size() < 2 ? -1 : two_digits(text, 0);
  if (second < 0 || second > 60) return std::nullopt;
  text.remove_prefix(2);
  clock += second * kSecond;
  if (!take(text, '.') && !take(text, ',')) return clock;
  std::int64_t unit = kSecond / 10;
  std::size_t digits = 0;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), ++digits, unit /= 10) {
    clock += (text.front() - '0') * unit;
  }
  return digits > 0 && digits <= 6 ? std::optional(clock) : std::nullopt;
}

// Z, +hh:mm, +hhmm; nullopt: something else.
std::optional<std::int64_t> take_offset(std::string_view& text) {
  if (take(text, 'Z')) return 0;
  const bool west = text.starts_with('-');
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const auto hours = take_number(text, 2);
  take(text, ':');
  const auto minutes = take_number(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::int64_t offset = *hours * kHour + *minutes * kMinute;
  return west ? -offset : offset;
}

// 31.01.2026 or 31/01/2026, with or without a time of day.
std::optional<Moment> read_day_first(std::string_view text) {
  const char separator = text[2];
  const auto day = take_number(text, 2);
  if (!day || !take(text, separator)) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, separator)) return std::nullopt;
  const auto year = take_number(text, 4);
  const auto date = year ? midnight(*year, *month, *day) : std::nullopt;
  if (!date) return std::nullopt;
  const bool dotted = separator == '.';
  const bool day_first = *day > 12;
  if (text.empty()) return Moment{dotted ? TimeForm::dotted : TimeForm::slashed, *date, day_first};
  const auto clock = take(text, ' ') ? take_clock(text) : std::nullopt;
  if (!clock || !text.empty()) return std::nullopt;
  return Moment{dotted ? TimeForm::dotted_local : TimeForm::slashed_local, *date + *clock,
                day_first};
}

}  // namespace

std::optional<Moment> read_moment(std::string_view text) {
  if (text.size() < 10 || text.size() > 32) return std::nullopt;
  if (text[2] == '.' || text[2] == '/') return read_day_first(text);
  if (text[4] != '-') return std::nullopt;
  const auto date = take_date(text);
  if (!date) return std::nullopt;
  if (text.empty()) return Moment{.form = TimeForm::date, .microseconds = *date};
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const auto clock = take_clock(text);
  if (!clock) return std::nullopt;
  if (text.empty()) return Moment{.form = TimeForm::local, .microseconds = *date + *clock};
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  return Moment{.form = TimeForm::instant, .microseconds = *date + *clock - *offset};
}

}  // namespace enfold::budget::detail
