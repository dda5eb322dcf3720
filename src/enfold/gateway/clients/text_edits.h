// SPDX-License-Identifier: Apache-2.0
// Replaces ranges of a text.
#pragma once

#include "enfold/gateway/clients/settings.h"

#include <algorithm>
#include <string>
#include <vector>

namespace enfold::gateway {

struct TextEdit {
  TextRange range;   ///< empty: inserts at its begin
  std::string text;  ///< replaces the range
};

/// The text after all edits. Their order does not matter; the ranges must not overlap.
[[nodiscard]] inline std::string apply_edits(const std::string& text, std::vector<TextEdit> edits) {
  std::ranges::sort(edits, {}, [](const TextEdit& edit) { return edit.range.begin; });
  std::string out;
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    out += text.substr(at, edit.range.begin - at) + edit.text;
    at = edit.range.end;
  }
  return out + text.substr(at);
}

}  // namespace enfold::gateway
