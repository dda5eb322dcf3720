// SPDX-License-Identifier: Apache-2.0
// SHA-256 for content, MD5 for rollout buckets (not for security), HMAC for data that clients
// return and that must not change on the way.
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

/// RFC 2104 with SHA-256. The key may be empty; one of more than 2^31 - 1 bytes aborts.
[[nodiscard]] std::array<std::uint8_t, 32> hmac_sha256(std::string_view key,
                                                       std::string_view bytes);

/// Compares in time that depends on the lengths only, not on the contents. For secrets.
[[nodiscard]] bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace enfold
