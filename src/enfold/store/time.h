// SPDX-License-Identifier: Apache-2.0
// Time as the store sees it: always an argument, never read from a clock here.
#pragma once

#include <chrono>

namespace enfold::store {

using Time = std::chrono::sys_seconds;
/// Finer, for rate limits; a Time converts to it by itself.
using Instant = std::chrono::sys_time<std::chrono::microseconds>;

}  // namespace enfold::store
