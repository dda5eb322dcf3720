// SPDX-License-Identifier: Apache-2.0
// One run of the rules of `enfold check` on an upstream: on its definitions, recorded answers and,
// if requested, answers to sample calls. It may take long, so it has a thread of its own
// (CheckPages).
#pragma once

#include "enfold/check/report.h"
#include "enfold/gateway/config/settings.h"

#include <atomic>
#include <map>

namespace enfold::gateway {

/// What is checked: copies, so that the run uses nothing of the loop's thread.
struct CheckSubject {
  UpstreamSettings settings;
  std::vector<json::Value> definitions;
  std::map<std::string, std::vector<json::Value>> answers;  ///< recorded answers by tool
  std::optional<redact::Policy> redaction;  ///< of the texts that findings quote; nullopt: none
  /// Whether the run also calls, over a connection of its own, each tool that clients see and that
  /// declares readOnlyHint: once, with sample arguments.
  bool calls = false;
  std::chrono::milliseconds most_time{60'000};  ///< of all sample calls together
};

/// Returns soon after `stop` became true.
[[nodiscard]] check::Report run_check(const CheckSubject& subject, const std::atomic<bool>& stop);

}  // namespace enfold::gateway
