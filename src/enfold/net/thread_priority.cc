// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/thread_priority.h"

#include <sys/resource.h>

namespace enfold::net {
namespace {

constexpr int kStep = 5;  // a third of the time that a thread of the usual priority gets

}  // namespace

// On Linux this concerns the thread, not its process. Where it fails the priority stays.
void lower_priority_of_this_thread() {
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + kStep));
}

}  // namespace enfold::net
