// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/types.h"

#include "enfold/level/schema_of.h"

#include <charconv>
#include <fmt/core.h>

namespace enfold::level {
namespace {

using std::chrono::year_month_day;

tl::unexpected<Error> refuse(std::string_view expected, std::string_view text) {
  return fail(ErrorCode::invalid_input,
              fmt::format("expected {}, found \"{}\"", expected, text.substr(0, 80)));
}

// take… moves a part off the front of `text`; nullopt or false if the text does not begin with it.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits || text.find_first_not_of("0123456789") < digits) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return value;
}

// One character of `any_of`.
bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<year_month_day> take_date(std::string_view& text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day) return std::nullopt;
  const year_month_day date{std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  return date.ok() ? std::optional(date) : std::nullopt;
}

// HH:MM as minutes.
std::optional<std::chrono::minutes> take_minutes(std::string_view& text) {
  const auto hours = take_number(text, 2);
  if (!hours || *hours > 23 || !take(text, ":")) return std::nullopt;
  const auto minutes = take_number(text, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
}

// The point and at least one digit; digits after the sixth are skipped. Without a point, 0.
std::optional<std::chrono::microseconds> take_fraction(std::string_view& text) {
  std::chrono::microseconds value{0};
  if (!take(text, ".")) return value;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  std::chrono::microseconds unit{100'000};
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    value += unit * (text.front() - '0');
    unit /= 10;
    text.remove_prefix(1);
  }
  return value;
}

// The offset from UTC; at the end of the text, UTC.
std::optional<std::chrono::minutes> take_offset(std::string_view& text) {
  if (text.empty() || take(text, "Zz")) return std::chrono::minutes(0);
  const bool west = text.front() == '-';
  if (!take(text, "+-")) return std::nullopt;
  const auto offset = take_minutes(text);
  return offset ? std::optional(west ? -*offset : *offset) : std::nullopt;
}

}  // namespace

std::string write_date(year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

Result<year_month_day> read_date(std::string_view text) {
  std::string_view rest = text;
  const auto date = take_date(rest);
  if (!date || !rest.empty()) return refuse("a date such as 2026-07-28", text);
  return *date;
}

std::string write_instant(Instant instant) {
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::hh_mm_ss time(instant - day);
  std::string out =
      fmt::format("{}T{:02}:{:02}:{:02}", write_date(year_month_day(day)), time.hours().count(),
                  time.minutes().count(), time.seconds().count());
  if (const auto micros = time.subseconds().count(); micros != 0) {
    std::string decimals = fmt::format(".{:06}", micros);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    out += decimals;
  }
  return out + "Z";
}

Result<Instant> read_instant(std::string_view text) {
  constexpr std::string_view expected = "a time such as 2026-07-28T12:30:00Z";
  std::string_view rest = text;
  const auto date = take_date(rest);
  if (!date || !take(rest, "Tt ")) return refuse(expected, text);
  const auto minutes = take_minutes(rest);
  if (!minutes || !take(rest, ":")) return refuse(expected, text);
  const auto seconds = take_number(rest, 2);
  if (!seconds || *seconds > 60) return refuse(expected, text);
  const auto fraction = take_fraction(rest);
  if (!fraction) return refuse(expected, text);
  const auto offset = take_offset(rest);
  if (!offset || !rest.empty()) return refuse(expected, text);
  return Instant(std::chrono::sys_days(*date)) + *minutes + std::chrono::seconds(*seconds) +
         *fraction - *offset;
}

std::string detail::with_unit(std::string_view description, std::string_view unit) {
  std::string out(description);
  if (out.empty() || unit.empty()) return out.empty() ? std::string(unit) : out;
  const std::string_view word = unit.substr(unit.rfind(' ') + 1);  // "seconds."
  if (out.find(word.substr(0, word.size() - 1)) != std::string::npos) return out;
  if (out.find_last_of(".!?") != out.size() - 1) out += '.';
  return out + ' ' + std::string(unit);
}

tl::unexpected<Error> too_far(std::string_view text) {
  return refuse("a time that is nearer to 1970", text);
}

}  // namespace enfold::level
