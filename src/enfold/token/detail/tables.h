// SPDX-License-Identifier: Apache-2.0
// The files of data/tokens, embedded in the program and used in place. data/tokens/README.md
// describes their layout.
#pragma once

#include <cstdint>

namespace enfold::token::detail {

extern "C" {
extern const std::uint8_t enfold_token_o200k_base[];
extern const std::uint8_t enfold_token_cl100k_base[];
extern const std::uint8_t enfold_token_unicode16[];
}

}  // namespace enfold::token::detail
