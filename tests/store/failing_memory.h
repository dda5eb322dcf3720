// SPDX-License-Identifier: Apache-2.0
// Memory that ends when a test says so, for the thread that says it.
#pragma once

namespace enfold::store::testing {

/// So many allocations succeed, every further one throws std::bad_alloc.
void fail_after(long allocations);
void fail_never();

}  // namespace enfold::store::testing
