// SPDX-License-Identifier: Apache-2.0
// Advice about one tool: text for the configuration, with the observed calls as the reason.
#pragma once

#include "enfold/gateway/admin/record/recorder.h"

namespace enfold::gateway {

/// A call of the tool whose answer is recorded.
struct SeenCall {
  RecordTime time;
  std::uint64_t arguments_hash = 0;
  std::shared_ptr<const RecordedAnswer> answer;  ///< with a RecordedAnswer::source
};

/// What was observed of one tool since the start of the gateway.
struct SeenTool {
  std::string upstream;  ///< name in the configuration; empty: the command line's only upstream
  std::string tool;
  std::uint64_t calls = 0;
  std::size_t definition_tokens = 0;
  std::uint64_t cut = 0;            ///< recorded calls whose answer was cut
  std::uint64_t cut_tokens = 0;     ///< sum of the tokens of the cut answers, as they were sent
  std::uint64_t opened_again = 0;   ///< how often the originals of the cut answers were opened
  std::size_t target = 0;           ///< tokens that a cut answer may have; 0: not known
  bool is_cached = false;           ///< the configuration sets cache_ttl for it
  bool only_reads = false;          ///< it declares readOnlyHint
  std::chrono::seconds watched{0};  ///< the time since the start of the gateway
  /// Calls that the upstream answered and whose answers are recorded; oldest first.
  std::vector<SeenCall> recorded;
};

struct Advice {
  std::string reason;
  std::string toml;  ///< to paste into the configuration
};
[[nodiscard]] std::vector<Advice> advise(const SeenTool& seen);

}  // namespace enfold::gateway
