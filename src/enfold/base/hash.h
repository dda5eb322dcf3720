// SPDX-License-Identifier: Apache-2.0
// The two digests the contracts name: SHA-256 for content, MD5 for rollout buckets (not for
// security).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace enfold {

[[nodiscard]] std::array<std::uint8_t, 32> sha256(std::string_view bytes);
[[nodiscard]] std::array<std::uint8_t, 16> md5(std::string_view bytes);

/// "sha256:" and 64 lower-case hex digits.
[[nodiscard]] std::string sha256_name(std::string_view bytes);

}  // namespace enfold
