// SPDX-License-Identifier: Apache-2.0
// The warning codes of Enfold with their default severity. Upstreams may send other codes; Enfold
// passes them through.
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

/// Uses the default severity of the code; an unknown code gets `warning`.
[[nodiscard]] model::Warning make_warning(std::string_view code, std::string message,
                                          std::optional<json::Value> context = std::nullopt);

}  // namespace enfold::contract
