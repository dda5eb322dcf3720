// SPDX-License-Identifier: Apache-2.0
// Points in time in the forms that are compared as time. Other forms, such as 1:15 PM, are texts:
// which of two comes first is unknown. Dates like 03/04/2026 are texts too, unless another value of
// the same member shows that the day comes first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace enfold::budget::detail {

/// Times of one form can be compared with each other.
enum class TimeForm : std::uint8_t {
  date,           ///< 2026-01-31
  local,          ///< 2026-01-31T12:00:00; also with a space for T, without seconds, with decimals
  instant,        ///< like `local`, with Z or an offset
  dotted,         ///< 31.01.2026
  dotted_local,   ///< 31.01.2026 12:00, also with seconds
  slashed,        ///< 31/01/2026
  slashed_local,  ///< 31/01/2026 12:00, also with seconds
};

struct Moment {
  TimeForm form = TimeForm::date;
  std::int64_t microseconds = 0;  ///< since 1970-01-01, of an instant in UTC
  bool day_first = false;         ///< of 31/01/2026 or 31.01.2026: the first number is no month
};

/// nullopt: another form, or no such day or hour.
[[nodiscard]] std::optional<Moment> read_moment(std::string_view text);

}  // namespace enfold::budget::detail
