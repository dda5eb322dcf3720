// SPDX-License-Identifier: Apache-2.0
// The one recogniser of records: the JSON of an answer, and JSON, JSON Lines, tables and listings
// of folders inside its texts and content blocks. SQL and conditions read what it finds.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/json/document.h"

#include <string>
#include <vector>

namespace enfold::retrieve {

struct AnswerPart {
  json::Value value;    ///< a document, or a text with lines
  std::string pointer;  ///< in the answer; of something inside a text, that of the text
  std::string name;     ///< what a list at its top is called
  bool is_text = false;
  bool is_inside = false;  ///< inside a text: the pointer is not that of the value
};

/// In the order in which SQL names its tables. `pointer`: the place of the payload.
[[nodiscard]] std::vector<AnswerPart> parts_of(const json::Value& payload,
                                               const Limits& limits = {},
                                               const std::string& pointer = {});

}  // namespace enfold::retrieve
