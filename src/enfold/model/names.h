// SPDX-License-Identifier: Apache-2.0
// Enumerations of the model with the one spelling they have on every wire.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace enfold::model {

/// Specialised per enumeration: `values` holds the spellings in the order of the enumerators.
template <class Enum>
struct Names;

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

enum class Outcome { ok, partial, failed };
template <>
struct Names<Outcome> {
  static constexpr std::array<std::string_view, 3> values{"ok", "partial", "failed"};
};

enum class Shape { list, single, action, tool_catalog, error };
template <>
struct Names<Shape> {
  static constexpr std::array<std::string_view, 5> values{"list", "single", "action",
                                                          "tool_catalog", "error"};
};

/// The detail that was asked for.
enum class Level { minimal, standard, full };
template <>
struct Names<Level> {
  static constexpr std::array<std::string_view, 3> values{"minimal", "standard", "full"};
};

/// What was lost against what was asked for.
enum class Fidelity { full, partial, summary, reference_only };
template <>
struct Names<Fidelity> {
  static constexpr std::array<std::string_view, 4> values{"full", "partial", "summary",
                                                          "reference_only"};
};

enum class Severity { info, warning, error };
template <>
struct Names<Severity> {
  static constexpr std::array<std::string_view, 3> values{"info", "warning", "error"};
};

enum class Tier { community, pro, enterprise };
template <>
struct Names<Tier> {
  static constexpr std::array<std::string_view, 3> values{"community", "pro", "enterprise"};
};

/// How a payload that is not an object stands inside a contract that demands one.
enum class Wrapping { none, items, result, text, content };
template <>
struct Names<Wrapping> {
  static constexpr std::array<std::string_view, 5> values{"none", "items", "result", "text",
                                                          "content"};
};

/// The closed set of response-v2.
enum class ErrorType {
  validation,
  authentication,
  authorization,
  not_found,
  conflict,
  rate_limit,
  feature_flag,
  internal,
  unavailable,
};
template <>
struct Names<ErrorType> {
  static constexpr std::array<std::string_view, 9> values{
      "validation", "authentication", "authorization", "not_found",  "conflict",
      "rate_limit", "feature_flag",   "internal",      "unavailable"};
};

/// What went wrong, in the one vocabulary that every contract's codes are translated through.
enum class ErrorKind {
  bad_input,
  bad_path,
  unauthenticated,
  not_allowed,
  missing,
  conflict,
  throttled,
  flag_off,
  tier_too_low,
  not_built,
  timeout,
  dependency_down,
  too_large,
  exhausted,
  correctable,
  bug,
};
template <>
struct Names<ErrorKind> {
  static constexpr std::array<std::string_view, 16> values{
      "bad_input", "bad_path",  "unauthenticated", "not_allowed", "missing", "conflict",
      "throttled", "flag_off",  "tier_too_low",    "not_built",   "timeout", "dependency_down",
      "too_large", "exhausted", "correctable",     "bug"};
};

}  // namespace enfold::model
