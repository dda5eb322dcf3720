// SPDX-License-Identifier: Apache-2.0
// MCP content blocks: which of them the envelope can hold whole, and how to describe the others.
#pragma once

#include "enfold/json/write.h"

#include <optional>
#include <string>

namespace enfold::model {

/// The Base64 member of an image, an audio or a blob resource block; nullopt for any other block.
[[nodiscard]] std::optional<json::View> binary_member(json::View block);

/// The text of a text block.
[[nodiscard]] std::optional<json::View> text_of(json::View block);

/// Writes the block as it stands, but binary data replaced by `size` (decoded bytes) and `hash`.
void describe(json::View block, json::Writer& writer);

}  // namespace enfold::model
