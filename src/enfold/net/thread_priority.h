// SPDX-License-Identifier: Apache-2.0
// How the system shares processors among the threads of this process.
#pragma once

namespace enfold::net {

/// From now on the calling thread runs only when others leave it time: on a machine with few
/// processors, threads that compute must not keep the loop, or a server behind it, waiting for a
/// time slice. Processes that it starts inherit that.
void lower_priority_of_this_thread();

}  // namespace enfold::net
