// SPDX-License-Identifier: Apache-2.0
// The files of data/tokens as bytes of the program. They are read where they lie: nothing is
// copied, unpacked or built when the program starts. data/tokens/README.md describes the layouts.
#pragma once

#include <cstdint>

namespace enfold::token::detail {

extern "C" {
extern const std::uint8_t enfold_token_o200k_base[];
extern const std::uint8_t enfold_token_cl100k_base[];
extern const std::uint8_t enfold_token_unicode16[];
}

}  // namespace enfold::token::detail
