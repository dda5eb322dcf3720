// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/random.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <sys/random.h>
#include <utility>

namespace enfold {
namespace {

// getrandom(2) returns up to 256 bytes at once without being interrupted by a signal.
constexpr std::size_t kBatch = 256;

struct Batch {
  std::array<std::uint8_t, kBatch> bytes{};
  std::size_t used = kBatch;  // bytes that were returned to callers; kBatch: none is left
};

void fetch(Batch& batch) {
  ssize_t got = -1;
  do {
    got = ::getrandom(batch.bytes.data(), batch.bytes.size(), 0);
  } while (got < 0 && errno == EINTR);  // interrupted at boot, before the pool is ready
  // getrandom fails only if it is missing or forbidden. To end the program is better than to use
  // predictable ids.
  if (got != static_cast<ssize_t>(batch.bytes.size())) std::abort();
  batch.used = 0;
}

}  // namespace

void fill_random(std::span<std::uint8_t> bytes) {
  static thread_local Batch batch;
  for (std::uint8_t& byte : bytes) {
    if (batch.used == kBatch) fetch(batch);
    byte = std::exchange(batch.bytes[batch.used++], 0);
  }
}

}  // namespace enfold
