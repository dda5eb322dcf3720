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

// Up to this many bytes the system gives at once, without an interruption.
constexpr std::size_t kFetched = 256;

struct Stock {
  std::array<std::uint8_t, kFetched> bytes{};
  std::size_t used = kFetched;
};

void fetch(Stock& stock) {
  ssize_t got = -1;
  do {
    got = ::getrandom(stock.bytes.data(), stock.bytes.size(), 0);
  } while (got < 0 && errno == EINTR);  // while the system gathers its first
  // Fails only where there is no such call at all; ids that can be guessed are no way out.
  if (got != static_cast<ssize_t>(stock.bytes.size())) std::abort();
  stock.used = 0;
}

}  // namespace

void fill_random(std::span<std::uint8_t> bytes) {
  static thread_local Stock stock;
  for (std::uint8_t& byte : bytes) {
    if (stock.used == kFetched) fetch(stock);
    byte = std::exchange(stock.bytes[stock.used++], 0);
  }
}

}  // namespace enfold
