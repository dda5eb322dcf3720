// SPDX-License-Identifier: Apache-2.0
#include "cli/settings/sql_bounds.h"

#include <chrono>

namespace enfold::cli {

retrieve::SqlBounds sql_bounds() {
  using namespace std::chrono;
  constexpr std::size_t memory = std::size_t{512} << 20;  // bytes
  const auto deadline = steady_clock::now() + seconds(30);
  return {.is_late = [deadline] { return steady_clock::now() > deadline; },
          .most_steps = UINT64_MAX,
          .most_memory = memory,
          .now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
}

}  // namespace enfold::cli
