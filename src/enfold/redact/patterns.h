// SPDX-License-Identifier: Apache-2.0
// Secrets in plain text: known token shapes, `key=value` in many spellings, URLs with a password,
// private key blocks. Takes linear time.
#pragma once

#include "enfold/redact/policy.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::redact {

struct Secret {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view label;  ///< one of redact::label, static
  friend bool operator==(const Secret&, const Secret&) = default;
};

/// In order, without overlaps. JSON inside the text may have escapes (`\"password\"`,
/// `\u0070assword`,
/// `:\/\/`); they are decoded.
[[nodiscard]] std::vector<Secret> find_secrets(std::string_view text, const Policy& policy);

/// Replaces every secret by its marker. Idempotent.
[[nodiscard]] std::string redact_text(std::string_view text, const Policy& policy);

/// "[REDACTED:LABEL]"
[[nodiscard]] std::string marker(std::string_view label);

}  // namespace enfold::redact
