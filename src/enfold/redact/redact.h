// SPDX-License-Identifier: Apache-2.0
// Redacts secrets in JSON values and in text, and finds redaction markers in arguments. All keys
// and strings are checked, including JSON inside strings; all other bytes stay unchanged. Secrets
// are known token shapes, `key=value` in many spellings, URLs with a password, private key blocks.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/redact/policy.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::redact {

struct Finding {
  enum class Where { key, value };
  /// A pointer into the redacted value, so that it contains no secret from a key. For a secret in
  /// JSON inside a string, the pointer of that string.
  std::string pointer;
  std::string_view label;
  Where where = Where::value;
  friend bool operator==(const Finding&, const Finding&) = default;
};

inline constexpr std::size_t kMostFindings = 100;

struct Redacted {
  json::Value value;
  std::vector<Finding> findings;  ///< the first kMostFindings
  std::size_t count = 0;          ///< all of them
  bool changed = false;           ///< false: `value` is the original value
  /// Pointers where every replacement violates the schema; the marker is used anyway.
  std::vector<std::string> unfit;
};

/// Fails only if the result would exceed the largest document size.
[[nodiscard]] Result<Redacted> redact(json::View value, const Policy& policy);

struct Marker {
  std::string pointer;
  std::string label;
  Finding::Where where = Finding::Where::value;
  friend bool operator==(const Marker&, const Marker&) = default;
};

/// The first redaction marker in the arguments of a tool call. Enfold refuses such calls, because
/// they would write a marker in place of a secret.
[[nodiscard]] std::optional<Marker> find_marker(json::View arguments);

/// A secret in a text, by its position.
struct Secret {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view label;  ///< one of redact::label, static
  friend bool operator==(const Secret&, const Secret&) = default;
};

/// In order, without overlaps; takes linear time. JSON inside the text may have escapes
/// (`\"password\"`, `\u0070assword`, `:\/\/`); they are decoded.
[[nodiscard]] std::vector<Secret> find_secrets(std::string_view text, const Policy& policy);

/// Replaces every secret by its marker. Idempotent.
[[nodiscard]] std::string redact_text(std::string_view text, const Policy& policy);

/// "[REDACTED:LABEL]"
[[nodiscard]] std::string marker(std::string_view label);

}  // namespace enfold::redact
