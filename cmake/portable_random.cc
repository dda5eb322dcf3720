// SPDX-License-Identifier: Apache-2.0
// arc4random() of glibc 2.36, which std::random_device of a static libstdc++ calls. With it here, the
// program runs with glibc 2.35, which is that of Ubuntu 22.04.
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" std::uint32_t arc4random() {
  std::uint32_t value = 0;
  // So few bytes come whole or not at all.
  if (::getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) std::abort();
  return value;
}
