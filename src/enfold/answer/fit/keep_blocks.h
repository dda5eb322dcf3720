// SPDX-License-Identifier: Apache-2.0
// Which content blocks beside the envelope an answer has room for: all of them when they are small,
// else those that fit in half of the budget, or in what a small payload leaves.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/answer/stored/places.h"

#include <string>
#include <vector>

namespace enfold::answer {

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
