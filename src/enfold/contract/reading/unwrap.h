// SPDX-License-Identifier: Apache-2.0
// The data inside an answer: JSON in text (alone, in a code fence, after a line of prose, one
// object per line or per content block), and values inside a lone member such as {"output": …}.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/model/response.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::contract::detail {

struct TextReading {
  json::Value data;
  std::string prose;      ///< the text before the JSON, if any
  bool is_lines = false;  ///< one JSON value per line; `data` is their list
};

/// Whether lists of lines or blocks are put together; who only wants the outcome needs no list.
enum class Lists { skip, build };

/// nullopt: the text holds no JSON, or more text than a short introduction around it.
[[nodiscard]] std::optional<TextReading> json_in_text(json::View text, const Limits& limits,
                                                      Lists lists = Lists::build);

struct InnerData {
  json::Value data;
  bool is_text = false;             ///< `data` is a string without JSON inside
  bool is_payload = true;           ///< `data` is the payload itself
  std::vector<std::string> path;    ///< lone members that were unwrapped, if no text was
  std::vector<json::Value> others;  ///< content blocks beside the one that holds the data
};

/// The innermost data of a response's payload.
[[nodiscard]] InnerData inner_data(const model::Response& response, const Limits& limits,
                                   Lists lists = Lists::build);

}  // namespace enfold::contract::detail
