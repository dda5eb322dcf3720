// SPDX-License-Identifier: Apache-2.0
// Tool definitions may hide text from their reviewers, in characters that a model reads
// and a screen does not show.
#pragma once

#include "enfold/json/document.h"

#include <optional>

namespace enfold::mcp {

/// An item of a list, such as a tool, without hidden characters (see base/hidden_text.h) in its
/// texts and keys, those of schemas included. Addresses (uri, uriTemplate, src) stay as they are.
/// nullopt: the item has no hidden characters.
[[nodiscard]] std::optional<json::Value> without_hidden_text(json::View item);

}  // namespace enfold::mcp
