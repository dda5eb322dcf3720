// SPDX-License-Identifier: Apache-2.0
// The cost of an answer for its reader: the envelope once, because every channel contains the same,
// and every content block beside it. Images and sounds cost what the client charges for them, never
// their text. Also chooses the content blocks that an answer has room for.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/answer/stored/places.h"
#include "enfold/token/profile.h"

namespace enfold::answer {

/// Tokens, characters and lines of one text.
[[nodiscard]] budget::Size size_of(std::string_view text, const token::Tokenizer& tokenizer);

/// A content block beside the envelope.
[[nodiscard]] budget::Size size_of_block(json::View block, const FitSettings& settings);

/// The envelope and all blocks, counted completely even if they are long.
[[nodiscard]] Result<budget::Size> size_of_answer(const ReadAnswer& answer,
                                                  const FitSettings& settings);

/// The size of an answer within its budget, or the limit that it exceeds first. Counts no further
/// than the budget.
struct SizeCheck {
  bool fits = false;
  budget::Size size;       ///< if it fits
  std::string_view limit;  ///< "token", "character" or "line" if it does not
};
[[nodiscard]] Result<SizeCheck> check_size(const ReadAnswer& answer, const FitSettings& settings);

[[nodiscard]] inline budget::Size sum(const budget::Size& a, const budget::Size& b) {
  return {a.tokens + b.tokens, a.characters + b.characters, a.lines + b.lines};
}

/// nullopt when it is none of these formats or its header is damaged.
[[nodiscard]] std::optional<token::ImageSize> image_size(std::string_view base64);

struct KeptBlocks {
  std::vector<json::Value> blocks;
  budget::Size size;
  std::vector<std::string> dropped;  ///< their places in the result
  std::size_t dropped_count = 0;     ///< however they are named
  std::vector<std::string> clipped;
};

/// `opened`: the answer as retrieval will open it, which is where the places are.
[[nodiscard]] KeptBlocks keep_blocks(const std::vector<json::Value>& blocks, json::View payload,
                                     const ArchivedAnswer& opened, const FitSettings& settings);

/// The same without any of them.
[[nodiscard]] KeptBlocks drop_blocks(std::size_t count, const ArchivedAnswer& opened);

}  // namespace enfold::answer
