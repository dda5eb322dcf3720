// SPDX-License-Identifier: Apache-2.0
// Logs requests that were refused with 401, 403, 429 or 503, with the address of the client. A
// flood of them cannot fill the disk: about twenty lines a minute are written, and the rest is
// counted.
#pragma once

#include "enfold/mcp/peer/server_action.h"
#include "enfold/serve/log.h"

namespace enfold::serve {

/// Lets about twenty lines a minute pass.
class LineLimit {
 public:
  /// Whether a line may be written now.
  [[nodiscard]] bool take(mcp::Time now);

 private:
  static constexpr std::size_t kLinesPerMinute = 20;

  mcp::Time minute_{-1};     ///< when the current minute began; negative: not yet
  std::size_t written_ = 0;  ///< lines in this minute
};

class RefusalLog {
 public:
  void add(int status, const std::string& client_address, mcp::Time now, const Log& log);

 private:
  LineLimit limit_;
  std::uint64_t left_out_ = 0;  ///< refusals since the last line that were not logged
};

}  // namespace enfold::serve
