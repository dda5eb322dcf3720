// SPDX-License-Identifier: Apache-2.0
// Points in time in the forms that are compared as time. Others, such as 03/04/2026 or 1:15 PM, are
// texts: which of two comes first is unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace enfold::budget::detail {

/// Times of one form can be compared with each other.
enum class TimeForm : std::uint8_t {
  date,     ///< 2026-01-31
  local,    ///< 2026-01-31T12:00:00, also with a space, without seconds, with decimals
  instant,  ///< the same with Z or an offset
};

struct Moment {
  TimeForm form = TimeForm::date;
  std::int64_t microseconds = 0;  ///< since 1970-01-01, of an instant in UTC
};

/// nullopt: another form, or no such day or hour.
[[nodiscard]] std::optional<Moment> read_moment(std::string_view text);

}  // namespace enfold::budget::detail
