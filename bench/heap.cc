// SPDX-License-Identifier: Apache-2.0
#include "bench/heap.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <malloc.h>
#include <string>

// The allocator under the wrapped names: what glibc exports for exactly this purpose.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __libc_malloc(std::size_t size);
void __libc_free(void* block);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

// One thread allocates; while nothing is counted the wrappers cost one test.
bool counting = false;
std::size_t held = 0;  // may dip below zero and come back: modular
std::size_t peak = 0;

void* took(void* block) {
  if (counting && block != nullptr) {
    held += malloc_usable_size(block);
    if (static_cast<std::ptrdiff_t>(held) > static_cast<std::ptrdiff_t>(peak)) peak = held;
  }
  return block;
}
void gives(void* block) {
  if (counting && block != nullptr) held -= malloc_usable_size(block);
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) { return took(__libc_malloc(size)); }
void free(void* block) {
  gives(block);
  __libc_free(block);
}
void* calloc(std::size_t count, std::size_t size) { return took(__libc_calloc(count, size)); }
void* realloc(void* block, std::size_t size) {
  gives(block);
  return took(__libc_realloc(block, size));
}
void* memalign(std::size_t alignment, std::size_t size) {
  return took(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = memalign(alignment, size);
  return *block != nullptr ? 0 : ENOMEM;
}
}

namespace enfold::bench {
namespace {

std::size_t status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kilobytes = 0;
    if (word == field && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

std::size_t peak_heap(const std::function<void()>& work) {
  held = 0;
  peak = 0;
  counting = true;
  work();
  counting = false;
  return peak;
}

std::size_t peak_resident(const std::function<void()>& work) {
  std::ofstream("/proc/self/clear_refs") << 5;  // the high water mark falls to what is there now
  const std::size_t before = status_bytes("VmRSS:");
  work();
  return std::max(status_bytes("VmHWM:"), before) - before;
}

}  // namespace enfold::bench
