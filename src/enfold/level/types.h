// SPDX-License-Identifier: Apache-2.0
// Types that fields may have besides numbers, text and structs: enums, std::chrono, paths, and your
// own types, which are written as a simpler type. Specialise enfold::As once for such a type:
//   template <>
//   struct enfold::As<BookId> {
//     using Type = std::string;
//     static std::string to(const BookId& id) { return id.text(); }
//     static Result<BookId> from(const std::string& text) { return BookId::parse(text); }
//   };
// `from` returns the value, an optional or a Result; nullopt and an error refuse the call. Optional
// members: `pattern`, `format`, `description` and `unit` (such as "In seconds."), which the schema
// shows. The description of a field replaces that of its type; the unit is added to both.
#pragma once

#include "enfold/base/result.h"
#include "enfold/model/response.h"

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace enfold::model {

namespace detail {

/// `function`: __PRETTY_FUNCTION__ of name_of_argument, which spells the template argument. Returns
/// that spelling after the last "::"; "" if it is not a name but, for example, a number.
[[nodiscard]] constexpr std::string_view name_in(std::string_view function) {
  const std::size_t start = function.rfind(" = ", function.find_first_of(";]", function.find('[')));
  std::string_view text = function.substr(start + 3);
  text = text.substr(0, text.find_first_of(";]"));
  const std::size_t scope = text.rfind("::");
  if (scope != std::string_view::npos) text.remove_prefix(scope + 2);
  if (text.starts_with('&')) text.remove_prefix(1);
  return text.find_first_of("()<> ") == std::string_view::npos ? text : std::string_view{};
}

template <auto argument>
[[nodiscard]] constexpr std::string_view name_of_argument() {
  return name_in(__PRETTY_FUNCTION__);
}

inline constexpr std::size_t kMostEnumerators = 64;
inline constexpr std::size_t kHighestChecked = 127;  ///< value up to which gaps are noticed

/// How many names there are before the first gap. 0 if there is a name after a gap, or if there are
/// too many names: model::name(), which does not check its argument, would read outside of them.
template <std::size_t size>
[[nodiscard]] constexpr std::size_t count_names(const std::array<std::string_view, size>& found) {
  std::size_t count = 0;
  while (count < size && !found[count].empty()) ++count;
  bool has_gap = false;
  for (std::size_t i = count; i < size; ++i) has_gap = has_gap || !found[i].empty();
  return has_gap || count > kMostEnumerators ? 0 : count;
}

/// The names of the enumerators, without a `_` at the end: that of `default_` is "default".
template <class Enum, std::size_t... index>
[[nodiscard]] constexpr auto enumerators(std::index_sequence<index...> /*all*/) {
  constexpr std::array<std::string_view, sizeof...(index)> found{
      name_of_argument<static_cast<Enum>(index)>()...};
  constexpr std::size_t count = count_names(found);
  std::array<std::string_view, count> names{};
  for (std::size_t i = 0; i < count; ++i) {
    names[i] = found[i].substr(0, found[i].size() - (found[i].ends_with('_') ? 1 : 0));
  }
  return names;
}

}  // namespace detail

/// The names of an enumeration without a specialisation: its enumerators as they are spelled. They
/// must count from 0 without a gap, and be at most 64.
template <class Enum>
struct Names {
  static constexpr auto values =
      detail::enumerators<Enum>(std::make_index_sequence<detail::kHighestChecked + 1>{});
};

/// An `enum class` whose enumerators have names.
template <class T>
concept NamedEnum = std::is_enum_v<T> && !std::is_convertible_v<T, int> &&
                    requires { requires Names<T>::values.size() > 0; };

}  // namespace enfold::model

namespace enfold {

/// How a type is written and read as a simpler one; the comment at the start of this file says what
/// a specialisation has.
template <class T>
struct As;

namespace level {

template <class T>
concept HasAs = requires { typename As<T>::Type; };

using Instant = std::chrono::sys_time<std::chrono::microseconds>;

/// RFC 3339 in UTC, with up to six decimals of the seconds and no trailing zeros.
[[nodiscard]] std::string write_instant(Instant instant);
/// Reads RFC 3339; any other text is `invalid_input`. No offset means UTC; decimals after the sixth
/// are ignored.
[[nodiscard]] Result<Instant> read_instant(std::string_view text);
/// The error for an instant that the type of the tool cannot hold.
[[nodiscard]] tl::unexpected<Error> too_far(std::string_view text);
/// "2026-07-28". read_date refuses any other form, and days that do not exist (`invalid_input`).
[[nodiscard]] std::string write_date(std::chrono::year_month_day date);
[[nodiscard]] Result<std::chrono::year_month_day> read_date(std::string_view text);

namespace detail {

template <class T>
concept PathLike = std::constructible_from<T, const std::string&> && requires(const T& path) {
  { path.generic_string() } -> std::same_as<std::string>;
};

/// As<T>::unit of a duration; empty: the period has no common name.
template <class Period>
[[nodiscard]] constexpr std::string_view unit_of() {
  if (std::ratio_equal_v<Period, std::nano>) return "In nanoseconds.";
  if (std::ratio_equal_v<Period, std::micro>) return "In microseconds.";
  if (std::ratio_equal_v<Period, std::milli>) return "In milliseconds.";
  if (std::ratio_equal_v<Period, std::ratio<1>>) return "In seconds.";
  if (std::ratio_equal_v<Period, std::ratio<60>>) return "In minutes.";
  if (std::ratio_equal_v<Period, std::ratio<3600>>) return "In hours.";
  return std::ratio_equal_v<Period, std::ratio<86400>> ? "In days." : "";
}

}  // namespace detail
}  // namespace level

/// A duration is a number in its own unit.
template <class Rep, class Period>
struct As<std::chrono::duration<Rep, Period>> {
  using Type = Rep;
  static constexpr std::string_view unit = level::detail::unit_of<Period>();
  static constexpr Rep to(std::chrono::duration<Rep, Period> value) { return value.count(); }
  static constexpr std::chrono::duration<Rep, Period> from(Rep count) {
    return std::chrono::duration<Rep, Period>(count);
  }
};

template <class Duration>
struct As<std::chrono::sys_time<Duration>> {
  using Type = std::string;
  static constexpr std::string_view format = "date-time";
  static std::string to(std::chrono::sys_time<Duration> time) {
    return level::write_instant(std::chrono::floor<std::chrono::microseconds>(time));
  }
  static Result<std::chrono::sys_time<Duration>> from(const std::string& text) {
    ENFOLD_TRY(const level::Instant instant, level::read_instant(text));
    if constexpr (std::integral<typename Duration::rep>) {
      using Wide = std::chrono::duration<std::int64_t, typename Duration::period>;
      using Ticks = level::Instant::duration;
      if constexpr (std::ratio_less_v<typename Wide::period, Ticks::period>) {
        if (instant.time_since_epoch() > std::chrono::floor<Ticks>(Wide::max()) ||
            instant.time_since_epoch() < std::chrono::ceil<Ticks>(Wide::min())) {
          return level::too_far(text);
        }
      }
      const auto count = std::chrono::floor<Wide>(instant.time_since_epoch()).count();
      if (!std::in_range<typename Duration::rep>(count)) return level::too_far(text);
    }
    return std::chrono::floor<Duration>(instant);
  }
};

template <>
struct As<std::chrono::year_month_day> {
  using Type = std::string;
  static constexpr std::string_view format = "date";
  static std::string to(std::chrono::year_month_day date) { return level::write_date(date); }
  static Result<std::chrono::year_month_day> from(const std::string& text) {
    return level::read_date(text);
  }
};

/// std::filesystem::path, without its header.
template <level::detail::PathLike T>
struct As<T> {
  using Type = std::string;
  static std::string to(const T& path) { return path.generic_string(); }
  static T from(const std::string& text) { return T(text); }
};

}  // namespace enfold
