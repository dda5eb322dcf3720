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

// Takes digits of a fixed number from the front of `text`. A template, because it is called for
// every time of a list: the loop is unrolled.
template <std::size_t digits>
std::optional<int> take_number(std::string_view& text) {
  if (text.size() < digits) return std::nullopt;
  int number = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::int64_t> midnight(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * 24 * kHour;
}

std::optional<std::int64_t> take_date(std::string_view& text) {
  const auto year = take_number<4>(text);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_number<2>(text);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number<2>(text);
  return day ? midnight(*year, *month, *day) : std::nullopt;
}

// hh:mm, hh:mm:ss, decimals after a point or a comma; those after the sixth are not compared.
std::optional<std::int64_t> take_clock(std::string_view& text) {
  const auto hour = take_number<2>(text);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_number<2>(text);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t clock = *hour * kHour + *minute * kMinute;
  if (!take(text, ':')) return clock;
  const auto second = take_number<2>(text);
  if (!second || *second > 60) return std::nullopt;
  clock += *second * kSecond;
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
  const auto hours = take_number<2>(text);
  take(text, ':');
  const auto minutes = take_number<2>(text);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const std::int64_t offset = *hours * kHour + *minutes * kMinute;
  return west ? -offset : offset;
}

// 31.01.2026 or 31/01/2026, with or without a time of day.
std::optional<Moment> read_day_first(std::string_view text) {
  const char separator = text[2];
  const auto day = take_number<2>(text);
  if (!day || !take(text, separator)) return std::nullopt;
  const auto month = take_number<2>(text);
  if (!month || !take(text, separator)) return std::nullopt;
  const auto year = take_number<4>(text);
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
  if (text.empty()) return Moment{TimeForm::date, *date, false};
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const auto clock = take_clock(text);
  if (!clock) return std::nullopt;
  if (text.empty()) return Moment{TimeForm::local, *date + *clock, false};
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  return Moment{TimeForm::instant, *date + *clock - *offset, false};
}

}  // namespace enfold::budget::detail
