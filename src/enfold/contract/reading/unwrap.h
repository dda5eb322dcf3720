// SPDX-License-Identifier: Apache-2.0
// JSON inside text: alone, in a code fence, after a line of prose, one object per line.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/json/document.h"

#include <optional>
#include <string>

namespace enfold::contract::detail {

struct TextReading {
  json::Value data;
  std::string prose;      ///< the text before the JSON, if any
  bool is_lines = false;  ///< one JSON value per line; `data` is their list
};

/// nullopt: the text holds no JSON, or more text than a short introduction around it.
[[nodiscard]] std::optional<TextReading> json_in_text(json::View text, const Limits& limits);

}  // namespace enfold::contract::detail
