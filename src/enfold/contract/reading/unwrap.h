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
  std::string prose;      ///< the text before the JSON; empty: none
  bool is_lines = false;  ///< one JSON value per line; `data` is their list
};

/// Whether a text with one JSON value per line is read as a list of them. Callers that only need
/// the outcome skip it.
enum class Lists { skip, build };

/// The object, list or boolean in a text; nullopt: there is none, or the text before it is too long
/// for an introduction.
[[nodiscard]] std::optional<TextReading> json_in_text(json::View text, const Limits& limits,
                                                      Lists lists = Lists::build);

struct InnerData {
  json::Value data;
  bool is_text = false;  ///< `data` is a string without JSON inside
  /// `data` is the payload or a value in it; false: it was parsed from text in the payload.
  bool is_in_payload = true;
  /// Keys of the lone members that lead to `data` in the payload; empty: `data` is the payload, or
  /// not in it.
  std::vector<std::string> path;
  std::vector<json::Value> others;  ///< content blocks beside the one that holds the data
};

/// The innermost data of a response's payload.
[[nodiscard]] InnerData inner_data(const model::Response& response, const Limits& limits,
                                   Lists lists = Lists::build);

}  // namespace enfold::contract::detail
