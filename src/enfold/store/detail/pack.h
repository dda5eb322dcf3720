// SPDX-License-Identifier: Apache-2.0
// Content at rest: zstd where that is worth it, and back to exactly the bytes that were hashed.
#pragma once

#include "enfold/base/result.h"
#include "enfold/store/detail/digest.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace enfold::store::detail {

/// Numbers are part of the stored formats.
enum class Codec : std::int64_t { raw = 0, zstd = 1 };

inline constexpr std::size_t kSmallestCompressed = 1024;

struct Packed {
  Codec codec = Codec::raw;
  std::string compressed;
  [[nodiscard]] std::string_view data(std::string_view bytes) const {
    return codec == Codec::raw ? bytes : std::string_view(compressed);
  }
};
/// Compressed only if that is smaller. Not read back: whoever reads it compares the SHA-256.
[[nodiscard]] Packed pack(std::string_view bytes);

/// The error says what is wrong with the data; nothing but the bytes of `hash` ever comes out.
[[nodiscard]] tl::expected<std::string, std::string> unpack(Codec codec, std::string_view data,
                                                            std::uint64_t size, const Digest& hash);

}  // namespace enfold::store::detail
