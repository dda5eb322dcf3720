// SPDX-License-Identifier: Apache-2.0
// Secrets in pairs of name and value, as in lists of headers and environment variables:
// `{"name": "DB_PASSWORD", "value": …}`, `["Authorization", "Basic …"]`.
#pragma once

#include "enfold/json/document.h"
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/key_names.h"

#include <optional>
#include <string>

namespace enfold::redact::detail {

/// A sensitive name that applies to a value.
struct SensitiveName {
  SensitiveKey key;
  std::string name;  ///< of the nearest member
};

/// The name of the member `value` in an object like {"name": …, "value": …}, if the value is a
/// secret.
[[nodiscard]] std::optional<SensitiveName> pair_in_object(json::View object,
                                                          const Scanner& scanner);
[[nodiscard]] bool is_pair_value(json::View key);

/// The first text of a list of two texts, if the second is a secret.
[[nodiscard]] std::optional<SensitiveName> pair_in_list(json::View array, const Scanner& scanner);

}  // namespace enfold::redact::detail
