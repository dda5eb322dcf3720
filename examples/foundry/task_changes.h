// SPDX-License-Identifier: Apache-2.0
// The actions of `task` that change something: add, edit, start, block, complete, complete-batch,
// reopen.
#pragma once

#include "tools.h"

namespace foundry {

/// The caller holds the lock and has made sure that the task exists where the action needs one.
[[nodiscard]] Answer<TaskAnswer> change_tasks(const Desk& desk, Spec spec, const TaskCall& asked,
                                              Context& context);

}  // namespace foundry
