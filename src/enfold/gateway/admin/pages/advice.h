// SPDX-License-Identifier: Apache-2.0
// Advice about one tool, as configuration that can be pasted. It says only what was seen.
#pragma once

#include "enfold/gateway/admin/record/recorder.h"

namespace enfold::gateway {

/// A call of the tool whose answer is recorded.
struct SeenCall {
  RecordTime time;
  std::uint64_t arguments_hash = 0;
  std::shared_ptr<const RecordedAnswer> answer;  ///< with a source
};

/// What was seen of one tool.
struct SeenTool {
  std::string upstream;  ///< of the configuration; empty: the only one of a command line
  std::string tool;
  std::uint64_t calls = 0;
  std::size_t definition_tokens = 0;
  std::uint64_t cut = 0;            ///< answers, of those in the ring
  std::uint64_t cut_tokens = 0;     ///< of these answers, as they were sent
  std::uint64_t opened_again = 0;   ///< how often their originals were opened
  std::size_t target = 0;           ///< tokens that a cut answer may have
  bool is_cached = false;           ///< the configuration sets cache_ttl for it
  bool only_reads = false;          ///< it declares readOnlyHint
  std::chrono::seconds watched{0};  ///< the time since the start
  std::vector<SeenCall> recorded;   ///< oldest first
};

struct Advice {
  std::string reason;
  std::string toml;
};
[[nodiscard]] std::vector<Advice> advise(const SeenTool& seen);

}  // namespace enfold::gateway
