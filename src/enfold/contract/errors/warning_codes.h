// SPDX-License-Identifier: Apache-2.0
// Every warning that Enfold gives, with its usual severity. Codes are an open set: a warning of
// an upstream keeps a code that is not listed here.
#pragma once

#include "enfold/model/response.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace enfold::contract {

struct WarningCode {
  std::string_view code;
  model::Severity severity;
  std::string_view description;
};

/// Sorted by code.
[[nodiscard]] std::span<const WarningCode> known_warnings();
[[nodiscard]] const WarningCode* find_warning(std::string_view code);

/// The severity is the registry's; a code that is not listed gets `warning`.
[[nodiscard]] model::Warning make_warning(std::string_view code, std::string message,
                                          std::optional<json::Value> context = std::nullopt);

}  // namespace enfold::contract
