// SPDX-License-Identifier: Apache-2.0
// What an answer costs whoever reads it: the envelope once, for every channel holds the same, and
// every content block beside it. Media is priced by the client's rule and never as text.
#pragma once

#include "enfold/answer/fit/prepare.h"

#include <string_view>

namespace enfold::answer {

/// Tokens, characters and lines of one text.
[[nodiscard]] budget::Size size_of(std::string_view text, const token::Tokenizer& tokenizer);

/// A block beside the envelope. Pictures and sounds cost what the client charges for them.
[[nodiscard]] budget::Size size_of_block(json::View block, const FitSettings& settings);

/// The envelope and all blocks. Counts everything, however much it is.
[[nodiscard]] Result<budget::Size> size_of_answer(const ReadAnswer& answer,
                                                  const FitSettings& settings);

/// The same as far as it is within the budget; otherwise which limit it exceeds first. Takes no
/// longer than the budget allows.
struct SizeCheck {
  bool fits = false;
  budget::Size size;       ///< when it fits
  std::string_view limit;  ///< "token", "character" or "line" when it does not
};
[[nodiscard]] Result<SizeCheck> check_size(const ReadAnswer& answer, const FitSettings& settings);

[[nodiscard]] inline budget::Size sum(const budget::Size& a, const budget::Size& b) {
  return {a.tokens + b.tokens, a.characters + b.characters, a.lines + b.lines};
}

}  // namespace enfold::answer
