// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/thread_priority.h"

#include <sys/resource.h>

namespace enfold::net {
namespace {

// In steps of nice(1): the thread gets a third of the time of a thread with the usual priority.
constexpr int kStep = 5;

}  // namespace

// On Linux this changes the thread, not its process. If it fails, the priority stays the same.
void lower_priority_of_this_thread() {
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + kStep));
}

}  // namespace enfold::net
