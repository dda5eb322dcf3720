// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/profile.h"

#include <algorithm>

namespace enfold::token {
namespace {

constexpr std::uint64_t started(std::uint64_t amount, std::uint64_t unit) {
  return amount / unit + (amount % unit == 0 ? 0 : 1);
}

}  // namespace

TokenCount image_tokens(const MediaCost& cost, std::optional<ImageSize> size) {
  if (!size || cost.rule == ImageRule::flat) return cost.most;
  if (cost.rule == ImageRule::area) {
    const std::uint64_t pixels = std::uint64_t{size->width} * size->height;
    return std::min<TokenCount>(cost.most, started(pixels, cost.unit));
  }
  const std::uint64_t tiles = started(size->width, cost.unit) * started(size->height, cost.unit);
  if (tiles >= cost.most) return cost.most;
  return std::min<TokenCount>(cost.most, cost.base + tiles * cost.each);
}

TokenCount audio_tokens_of_bytes(const MediaCost& cost, std::size_t bytes) {
  constexpr std::size_t bytes_per_second = 2000;
  return started(bytes, bytes_per_second) * cost.audio_per_second;
}

}  // namespace enfold::token
