// SPDX-License-Identifier: Apache-2.0
// Dates of feature flags: ISO-8601 text to seconds since 1970 and back.
#include "enfold/base/text.h"
#include "enfold/contract/legacy/flags.h"

#include <chrono>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

/// Consumes a text from the front; after the first mismatch every call fails.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (i >= rest_.size() || !is_digit(rest_[i])) return miss();
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void must(char c) {
    if (!take(c)) miss();
  }
  void skip_digits() {
    if (rest_.empty() || !is_digit(rest_.front())) miss();
    while (!rest_.empty() && is_digit(rest_.front())) rest_.remove_prefix(1);
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  int miss() {
    ok_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool ok_ = true;
};

// Seconds to subtract for the time zone; no zone means UTC.
int zone_offset(Scan& scan) {
  if (scan.at_end() || scan.take('Z') || scan.take('z')) return 0;
  const bool west = scan.take('-');
  if (!west) scan.must('+');
  const int hours = scan.number(2);
  scan.take(':');
  const int minutes = scan.at_end() ? 0 : scan.number(2);
  if (hours > 23 || minutes > 59) scan.must('\0');
  return (west ? -1 : 1) * (hours * 3600 + minutes * 60);
}

}  // namespace

std::optional<std::int64_t> parse_time(std::string_view iso) {
  Scan scan(iso);
  const int year = scan.number(4);
  scan.must('-');
  const int month = scan.number(2);
  scan.must('-');
  const int day = scan.number(2);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!scan.ok() || !date.ok()) return std::nullopt;
  std::int64_t seconds =
      std::int64_t{std::chrono::sys_days(date).time_since_epoch().count()} * 86'400;
  if (scan.at_end()) return seconds;
  if (!scan.take('T') && !scan.take('t')) scan.must(' ');
  const int hour = scan.number(2);
  scan.must(':');
  const int minute = scan.number(2);
  const int second = scan.take(':') ? scan.number(2) : 0;
  if (scan.take('.')) scan.skip_digits();
  const int offset = zone_offset(scan);
  if (!scan.ok() || !scan.at_end() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return seconds + std::int64_t{hour} * 3600 + std::int64_t{minute} * 60 + second - offset;
}

std::string format_time(std::int64_t seconds) {
  using namespace std::chrono;
  const sys_seconds time{std::chrono::seconds(seconds)};
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace enfold::contract
