// SPDX-License-Identifier: Apache-2.0
#include "tests/store/failing_memory.h"

#include <cstdlib>
#include <new>

namespace {

thread_local long allocations_left = -1;  // negative: as many as there is memory for

}  // namespace

namespace enfold::store::testing {

void fail_after(long allocations) { allocations_left = allocations; }
void fail_never() { allocations_left = -1; }

}  // namespace enfold::store::testing

void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
