// SPDX-License-Identifier: Apache-2.0
// Reading MCP tool results: content blocks, binary data, and whether the call failed.
#pragma once

#include "enfold/json/write.h"

#include <algorithm>
#include <array>

namespace enfold::model {

[[nodiscard]] inline bool has_type(json::View block, std::string_view name) {
  const auto type = block.find("type");
  return type && type->equals(name);
}

/// The Base64 member of an image, audio or blob resource block; nullopt for other blocks.
[[nodiscard]] std::optional<json::View> binary_member(json::View block);

/// The text of a text block; nullopt for other blocks.
[[nodiscard]] inline std::optional<json::View> text_of(json::View block) {
  const auto text = has_type(block, "text") ? block.find("text") : std::nullopt;
  return text && text->is_string() ? text : std::nullopt;
}

/// Writes the block with its binary member replaced by `size` (decoded bytes) and `hash`
/// (sha256_name() of these bytes); a block without a binary member, unchanged.
void write_block_description(json::View block, json::Writer& writer);

/// The members of a tool result that Enfold interprets; Enfold passes all other members through.
inline constexpr std::array<std::string_view, 4> kAnswerMembers{"content", "structuredContent",
                                                                "isError", "resultType"};
[[nodiscard]] inline bool is_answer_member(json::View key) {
  return std::ranges::any_of(kAnswerMembers,
                             [&](std::string_view name) { return key.equals(name); });
}

/// Whether `isError` is true, or "true" in any case, or a number other than 0: some servers send
/// texts or numbers. Anything else, or no `isError`, is no failure.
[[nodiscard]] bool is_failed_result(json::View result);

}  // namespace enfold::model
