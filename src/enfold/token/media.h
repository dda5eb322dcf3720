// SPDX-License-Identifier: Apache-2.0
// Token costs of images and audio. Models price them by size, not by their Base64 text.
#pragma once

#include "enfold/token/tokenizer.h"

#include <cstdint>
#include <optional>

namespace enfold::token {

struct ImageSize {
  std::uint32_t width = 0;  ///< pixels
  std::uint32_t height = 0;
};

enum class ImageRule {
  flat,   ///< always `most`
  area,   ///< one token for `unit` pixels
  tiles,  ///< `base`, plus `each` per started square of `unit` x `unit` pixels
};

/// How a client prices media. An image costs at most `most`, because clients scale it down.
struct MediaCost {
  ImageRule rule = ImageRule::flat;
  std::uint32_t unit = 1;
  TokenCount base = 0;
  TokenCount each = 0;
  TokenCount most = 0;
  TokenCount audio_per_second = 0;

  friend bool operator==(const MediaCost&, const MediaCost&) = default;
};

/// Without a size, the maximum.
[[nodiscard]] TokenCount image_tokens(const MediaCost& cost, std::optional<ImageSize> size);

/// Audio of unknown duration, estimated as speech at 16 kbit/s.
[[nodiscard]] TokenCount audio_tokens_of_bytes(const MediaCost& cost, std::size_t bytes);

}  // namespace enfold::token
