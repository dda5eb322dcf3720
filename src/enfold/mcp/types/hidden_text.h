// SPDX-License-Identifier: Apache-2.0
// Tool definitions may hide text from their reviewers, in characters that a model reads
// and a screen does not show.
#pragma once

#include "enfold/json/document.h"

#include <optional>

namespace enfold::mcp {

/// An item of a list, such as a tool, without hidden characters (see base/hidden_text.h) in its
/// texts and keys, those of schemas and icons included. Its own addresses (uri, uriTemplate) stay
/// as they are, because a client sends them back. nullopt: the item has no hidden characters.
[[nodiscard]] std::optional<json::Value> without_hidden_text(json::View item);

/// The same for the result of a list request, with all items. `nextCursor` stays as it is.
[[nodiscard]] std::optional<json::Value> list_without_hidden_text(json::View result);

}  // namespace enfold::mcp
