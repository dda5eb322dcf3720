// SPDX-License-Identifier: Apache-2.0
// Times for the store, which gets them as arguments and never reads a clock.
#pragma once

#include <chrono>

namespace enfold::store {

using Time = std::chrono::sys_seconds;
/// For rate limits, in microseconds; a Time converts to it implicitly.
using Instant = std::chrono::sys_time<std::chrono::microseconds>;

}  // namespace enfold::store
