// SPDX-License-Identifier: Apache-2.0
// Secrets in plain text: well-known token shapes, `key=value` in its many spellings, URLs with a
// password, private key blocks. One pass; work per byte is bounded whatever the text holds.
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

/// In order, never overlapping. The text is unescaped; JSON inside it may still carry escapes of
/// its own (`\"password\"`, `\u0070assword`, `:\/\/`), which are looked through.
[[nodiscard]] std::vector<Secret> find_secrets(std::string_view text, const Policy& policy);

/// The text with every secret replaced by its marker; redacting the answer again changes nothing.
[[nodiscard]] std::string redact_text(std::string_view text, const Policy& policy);

/// "[REDACTED:LABEL]"
[[nodiscard]] std::string marker(std::string_view label);

}  // namespace enfold::redact
