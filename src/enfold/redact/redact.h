// SPDX-License-Identifier: Apache-2.0
// Redacts secrets in JSON values, and finds redaction markers in arguments. All keys and strings
// are checked, including JSON inside strings; all other bytes stay unchanged.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/redact/error_text.h"
#include "enfold/redact/patterns.h"
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

}  // namespace enfold::redact
