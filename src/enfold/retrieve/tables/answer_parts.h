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
  json::Value value;        ///< a JSON document, or a text that is read by lines
  std::string pointer;      ///< in the answer; of a document inside a text, that of the text
  std::string name;         ///< of the SQL table of `value`, if that is a list, a map or a text
  bool is_text = false;     ///< `value` is read by lines
  bool is_in_text = false;  ///< read from a text, of which `pointer` is the place
};

/// The parts of a payload, in the order in which SQL names its tables. `limits`: for JSON inside
/// texts. `pointer`: the place of the payload in the answer.
[[nodiscard]] std::vector<AnswerPart> parts_of(const json::Value& payload,
                                               const Limits& limits = {},
                                               const std::string& pointer = {});

}  // namespace enfold::retrieve
