// SPDX-License-Identifier: Apache-2.0
// Cryptographically secure random bytes from getrandom(2). They are fetched 256 at a time per
// thread, because the system call is the expensive part; each byte is used once.
#pragma once

#include <cstdint>
#include <span>

namespace enfold {

/// Thread-safe. Aborts if the system has no getrandom(2).
void fill_random(std::span<std::uint8_t> bytes);

}  // namespace enfold
