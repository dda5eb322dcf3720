// SPDX-License-Identifier: Apache-2.0
// MCP results: which content blocks the envelope can hold whole, how to describe the others, and
// whether the call failed.
#pragma once

#include "enfold/json/write.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::model {

/// The Base64 member of an image, an audio or a blob resource block; nullopt for any other block.
[[nodiscard]] std::optional<json::View> binary_member(json::View block);

/// The text of a text block.
[[nodiscard]] std::optional<json::View> text_of(json::View block);

/// Writes the block as it stands, but binary data replaced by `size` (decoded bytes) and `hash`.
void describe(json::View block, json::Writer& writer);

/// The members of a tool result that make up the answer; all others stand beside it.
inline constexpr std::array<std::string_view, 4> kAnswerMembers{"content", "structuredContent",
                                                                "isError", "resultType"};
[[nodiscard]] bool is_answer_member(json::View key);

/// Whether a tool result says that the call failed. Servers without types write the flag as a text
/// or a number; "false" and 0 are none.
[[nodiscard]] bool is_failed_result(json::View result);

}  // namespace enfold::model
