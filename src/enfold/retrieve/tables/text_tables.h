// SPDX-License-Identifier: Apache-2.0
// Tables written as text: comma, semicolon and tab separated values, Markdown tables, and tables
// that programs draw with '|'. They are recognised by their structure, never by their words.
#pragma once

#include "enfold/json/document.h"

#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// Each table as a list of objects, in the order of the text; empty: there is none. A cell without
/// quotes that is a JSON number is a number (007 is none, and stays a text); an empty one is null.
[[nodiscard]] std::vector<json::Value> tables_in_text(std::string_view text);

}  // namespace enfold::retrieve
