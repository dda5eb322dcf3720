// SPDX-License-Identifier: Apache-2.0
// The cost of an answer for the model: the envelope once, because every channel contains the same,
// and every content block beside it. Images and sounds cost what the client's profile says, not the
// tokens of their Base64 text. Also chooses the content blocks that an answer has room for.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/answer/stored/places.h"
#include "enfold/token/profile.h"

namespace enfold::answer {

/// Tokens, characters and lines of one text, as the client counts them.
[[nodiscard]] budget::Size size_of(std::string_view text, const token::Tokenizer& tokenizer,
                                   token::CharacterUnit unit);
[[nodiscard]] inline budget::Size size_of(std::string_view text, const FitSettings& settings) {
  return size_of(text, *settings.tokenizer, settings.unit);
}

/// The size of a content block beside the envelope.
[[nodiscard]] budget::Size size_of_block(json::View block, const FitSettings& settings);

/// The size of the envelope and all blocks, counted completely even if they are long.
[[nodiscard]] Result<budget::Size> size_of_answer(const ReadAnswer& answer,
                                                  const FitSettings& settings);

/// The size of an answer within its budget, or the first limit that it was found to exceed: a text
/// over the budget is not counted to its end.
struct SizeCheck {
  bool fits = false;
  budget::Size size;       ///< set if it fits
  std::string_view limit;  ///< "token", "character" or "line"; empty if it fits
};
[[nodiscard]] Result<SizeCheck> check_size(const ReadAnswer& answer, const FitSettings& settings);

[[nodiscard]] inline budget::Size sum(const budget::Size& a, const budget::Size& b) {
  return {a.tokens + b.tokens, a.characters + b.characters, a.lines + b.lines};
}

/// The content blocks that are shown, and a report of the others. Places are JSON Pointers that
/// `enfold_fetch` accepts; many blocks are reported as one place.
struct KeptBlocks {
  std::vector<json::Value> blocks;
  budget::Size size;                 ///< of `blocks`
  std::vector<std::string> dropped;  ///< places of blocks that are not shown, at most four
  std::size_t dropped_count = 0;     ///< number of blocks that are not shown
  std::vector<std::string> clipped;  ///< places of texts that are shown in part
};

/// Chooses blocks for at most half of the budget, or more if the payload is small. `archived`: the
/// answer as retrieval will open it; the places refer to it.
[[nodiscard]] KeptBlocks keep_blocks(const std::vector<json::Value>& blocks, json::View payload,
                                     const ArchivedAnswer& archived, const FitSettings& settings);

/// Shows none of `count` blocks; reports the place of all together.
[[nodiscard]] KeptBlocks drop_blocks(std::size_t count, const ArchivedAnswer& archived);

}  // namespace enfold::answer
