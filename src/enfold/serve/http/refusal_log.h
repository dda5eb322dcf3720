// SPDX-License-Identifier: Apache-2.0
// Logs requests that were refused with 401, 403, 429 or 503, with the address of the client and
// its principal. A flood of them cannot fill the disk: about twenty lines a minute are written, and
// the rest is counted.
#pragma once

#include "enfold/base/period_limit.h"
#include "enfold/mcp/peer/server_action.h"
#include "enfold/serve/log.h"

namespace enfold::serve {

/// The limit for warnings that any client can cause: twenty lines a minute.
[[nodiscard]] inline PeriodLimit<mcp::Time> lines_per_minute() {
  return {20, std::chrono::minutes(1)};
}

struct Refusal {
  int status = 0;
  std::string client_address;
  std::string principal;  ///< empty: not known
};

class RefusalLog {
 public:
  /// Ignores refusals with a status other than 401, 403, 429 and 503.
  void add(const Refusal& refusal, mcp::Time now, const Log& log);

 private:
  PeriodLimit<mcp::Time> limit_ = lines_per_minute();
  std::uint64_t left_out_ = 0;  ///< refusals since the last line that were not logged
};

}  // namespace enfold::serve
