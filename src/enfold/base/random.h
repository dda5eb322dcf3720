// SPDX-License-Identifier: Apache-2.0
// Bytes that nobody can predict, from the system's own source. They are fetched some hundred at a
// time, because asking is what costs; each is given out once.
#pragma once

#include <cstdint>
#include <span>

namespace enfold {

/// From any thread.
void fill_random(std::span<std::uint8_t> bytes);

}  // namespace enfold
