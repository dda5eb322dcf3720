// SPDX-License-Identifier: Apache-2.0
// How the system shares processors among the threads of this process.
#pragma once

namespace enfold::net {

/// From now on the calling thread gets less processor time than threads of the usual priority: on a
/// machine with few processors, threads that compute must not keep the loop, or an upstream server
/// on the same machine, waiting. Processes that the thread starts inherit the priority.
void lower_priority_of_this_thread();

}  // namespace enfold::net
