// SPDX-License-Identifier: Apache-2.0
// Shortens what an envelope says beside its payload, step by step, when that alone would take most
// of the budget: what others may need first goes last. Whatever is gone is still in the archive.
#pragma once

#include "enfold/model/response.h"
#include "enfold/token/tokenizer.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::answer {

inline constexpr int kTrimSteps = 6;

/// Bytes of a message that is to say no more than what it is about.
inline constexpr std::size_t kFewWords = 32;

/// Step 0 … kTrimSteps - 1, each after the one before. `whole` is the response as it was: every
/// marker counts from there. `tokens`: what a long message may still take. False: there was nothing
/// to shorten.
[[nodiscard]] bool trim(model::Response& response, const model::Response& whole, int step,
                        const token::Tokenizer& tokenizer, std::size_t tokens);

/// The beginning of the text and "…[+N bytes]"; the text itself when it is short enough.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t bytes);
[[nodiscard]] std::string clipped_to_tokens(std::string_view text,
                                            const token::Tokenizer& tokenizer, std::size_t tokens);

}  // namespace enfold::answer
