// SPDX-License-Identifier: Apache-2.0
// What pictures and sound cost a model. They are priced by size or by the piece, never as the
// base64 text that carries them.
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
  flat,   ///< `most`, whatever the size
  area,   ///< one token for `unit` pixels
  tiles,  ///< `base`, and `each` for every started square of `unit` pixels
};

/// How a client prices media. An image never costs more than `most`: clients make it smaller.
struct MediaCost {
  ImageRule rule = ImageRule::flat;
  std::uint32_t unit = 1;
  TokenCount base = 0;
  TokenCount each = 0;
  TokenCount most = 0;
  TokenCount audio_per_second = 0;

  friend bool operator==(const MediaCost&, const MediaCost&) = default;
};

/// Without a size an image costs the most that it can.
[[nodiscard]] TokenCount image_tokens(const MediaCost& cost, std::optional<ImageSize> size);

[[nodiscard]] TokenCount audio_tokens(const MediaCost& cost, std::uint64_t milliseconds);
/// When the duration is not known: as if it were speech at 16 kbit/s, which few recordings go
/// below.
[[nodiscard]] TokenCount audio_tokens_of_bytes(const MediaCost& cost, std::size_t bytes);

}  // namespace enfold::token
