// SPDX-License-Identifier: Apache-2.0
// How much memory a piece of work holds at its worst. The program's malloc is wrapped, so every
// library in it is counted alike, allocated bytes whether they are touched or not.
#pragma once

#include <cstddef>
#include <functional>

namespace enfold::bench {

/// The most bytes on the heap while `work` ran, beyond those that were there before.
[[nodiscard]] std::size_t peak_heap(const std::function<void()>& work);

/// Growth of the resident set while `work` ran. Only the first call in a process is honest.
[[nodiscard]] std::size_t peak_resident(const std::function<void()>& work);

}  // namespace enfold::bench
