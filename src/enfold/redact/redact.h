// SPDX-License-Identifier: Apache-2.0
// Takes the secrets out of any JSON value before it is shown or stored, and recognises its own
// markers when they come back. Every key and every string is seen, through escapes and through
// JSON that stands inside a string; all other bytes stay as they are.
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
  /// Into the redacted value, so that it never spells a secret that stood in a key. For a secret
  /// inside JSON text it names the string that holds the text.
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
  bool changed = false;           ///< false: `value` is the value that came in, not a copy
  /// Places where no replacement satisfies the schema; the marker stands there all the same.
  std::vector<std::string> unfit;
};

/// Fails only when the answer would be larger than a document can be.
[[nodiscard]] Result<Redacted> redact(json::View value, const Policy& policy);

struct Marker {
  std::string pointer;
  std::string label;
  Finding::Where where = Finding::Where::value;
  friend bool operator==(const Marker&, const Marker&) = default;
};

/// The first redaction marker in the arguments of a tool call: a model is about to write back what
/// it was never shown. Such a call must be refused.
[[nodiscard]] std::optional<Marker> find_marker(json::View arguments);

}  // namespace enfold::redact
