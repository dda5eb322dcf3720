// SPDX-License-Identifier: Apache-2.0
// Secrets that stand beside their name and not under it, as in lists of headers and environments:
// `{"name": "DB_PASSWORD", "value": …}`, `["Authorization", "Basic …"]`.
#pragma once

#include "enfold/json/document.h"
#include "enfold/redact/find/scanner.h"
#include "enfold/redact/key_names.h"

#include <optional>
#include <string>

namespace enfold::redact::detail {

/// A sensitive name that is about the value at hand.
struct Above {
  SensitiveKey key;
  std::string name;  ///< of the nearest member
};

/// What the member `value` of an object is named by, when it is a secret.
[[nodiscard]] std::optional<Above> pair_in_object(json::View object, const Scanner& scanner);
[[nodiscard]] bool is_pair_value(json::View key);

/// What the second text of a list of two is named by, when it is a secret.
[[nodiscard]] std::optional<Above> pair_in_list(json::View array, const Scanner& scanner);

}  // namespace enfold::redact::detail
