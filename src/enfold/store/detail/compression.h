// SPDX-License-Identifier: Apache-2.0
// Compression of stored content: zstd if it saves space. Decompression returns exactly the bytes
// that were hashed.
#pragma once

#include "enfold/base/result.h"
#include "enfold/store/detail/digest.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace enfold::store::detail {

/// Numbers are part of the stored formats.
enum class Codec : std::int64_t { raw = 0, zstd = 1 };

/// Smaller content is stored uncompressed.
inline constexpr std::size_t kSmallestCompressed = 1024;

struct Compressed {
  Codec codec = Codec::raw;
  std::string frame;  ///< empty for Codec::raw
  [[nodiscard]] std::string_view data(std::string_view bytes) const {
    return codec == Codec::raw ? bytes : std::string_view(frame);
  }
};
/// Codec::raw where compression gains little: for large content a sample decides. The frame is not
/// read back here: every reader compares the SHA-256.
[[nodiscard]] Compressed compress(std::string_view bytes);

/// Fails with a description of the damage unless the content has this `hash`.
[[nodiscard]] tl::expected<std::string, std::string> decompress(Codec codec, std::string_view data,
                                                                std::uint64_t size,
                                                                const Digest& hash);

}  // namespace enfold::store::detail
