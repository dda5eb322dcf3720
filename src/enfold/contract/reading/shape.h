// SPDX-License-Identifier: Apache-2.0
// Whether an answer is a list, one thing, the result of an action or a catalog of tools, and where
// its payload is. docs/reference/reading.md has the order of evidence.
#pragma once

#include "enfold/model/response.h"

#include <string>
#include <string_view>
#include <vector>

namespace enfold::contract::detail {

struct ShapeReading {
  model::Shape shape = model::Shape::single;
  /// Names of members from the root to the payload: the items of a list, or the one thing without
  /// the flags around it. Empty: the whole answer.
  std::vector<std::string> path;
  bool is_empty_list = false;  ///< a message in place of a list says that there are no items
  std::string reason;          ///< why this shape, for people
};

/// Reads the shape of data without a contract. `tool`: the tool's name; may be empty.
[[nodiscard]] ShapeReading shape_of(json::View data, std::string_view tool);

/// Whether a tool of this name answers with rows: it lists, searches or queries, and reads no file.
[[nodiscard]] bool answers_with_rows(std::string_view tool);

/// The path to the list that the answer is about; empty: the answer is itself a list, or has none.
[[nodiscard]] std::vector<std::string> list_in(json::View data, std::string_view tool);

/// The value at a path; null if there is none.
[[nodiscard]] json::View at_path(json::View data, const std::vector<std::string>& path);

}  // namespace enfold::contract::detail
