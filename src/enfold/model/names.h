// SPDX-License-Identifier: Apache-2.0
// Enumerations of the model. An enumerator is spelled the same in C++ and on the wire.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace enfold::model {

/// Specialized per enumeration: `values` holds the spellings in the order of the enumerators.
template <class Enum>
struct Names;

namespace detail {

/// "ok, partial, failed" as an array of names.
template <std::size_t count>
constexpr std::array<std::string_view, count> split_names(std::string_view list) {
  std::array<std::string_view, count> names;
  for (std::string_view& name : names) {
    const std::size_t end = list.find(',');
    name = list.substr(0, end);
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 2);
  }
  return names;
}

}  // namespace detail

// Declares an enumeration and its names.
#define ENFOLD_MODEL_ENUM(Enum, ...)                                                      \
  enum class Enum { __VA_ARGS__ };                                                        \
  template <>                                                                             \
  struct Names<Enum> {                                                                    \
    static constexpr auto values =                                                        \
        detail::split_names<std::ranges::count(std::string_view(#__VA_ARGS__), ',') + 1>( \
            #__VA_ARGS__);                                                                \
  }

template <class Enum>
[[nodiscard]] constexpr std::string_view name(Enum value) {
  return Names<Enum>::values[static_cast<std::size_t>(value)];
}

template <class Enum>
[[nodiscard]] constexpr std::optional<Enum> from_name(std::string_view text) {
  for (std::size_t i = 0; i < Names<Enum>::values.size(); ++i) {
    if (Names<Enum>::values[i] == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

ENFOLD_MODEL_ENUM(Outcome, ok, partial, failed);
ENFOLD_MODEL_ENUM(Shape, list, single, action, tool_catalog, error);
ENFOLD_MODEL_ENUM(Severity, info, warning, error);
ENFOLD_MODEL_ENUM(Tier, community, pro, enterprise);

/// The requested level of detail.
ENFOLD_MODEL_ENUM(Level, minimal, standard, full);

/// How much of the requested content the response holds.
ENFOLD_MODEL_ENUM(Fidelity, full, partial, summary, reference_only);

/// The member that holds a non-object payload in a contract that requires an object.
ENFOLD_MODEL_ENUM(Wrapping, none, items, result, text, content);

/// `error_type` of response-v2; a closed set.
ENFOLD_MODEL_ENUM(ErrorType, validation, authentication, authorization, not_found, conflict,
                  rate_limit, feature_flag, internal, unavailable);

/// What went wrong. The error codes of all contracts are translated through these kinds.
ENFOLD_MODEL_ENUM(ErrorKind, bad_input, bad_path, unauthenticated, not_allowed, missing, conflict,
                  throttled, flag_off, tier_too_low, not_built, timeout, dependency_down, too_large,
                  exhausted, correctable, bug, tool_error);

#undef ENFOLD_MODEL_ENUM

}  // namespace enfold::model
