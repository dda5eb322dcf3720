// SPDX-License-Identifier: Apache-2.0
// One run of the rules of `enfold check` on an upstream: its definitions, recorded answers and, if
// wanted, answers to sample calls. It may take long, so it belongs on a thread of its own.
#pragma once

#include "enfold/check/report.h"
#include "enfold/gateway/config/settings.h"

#include <atomic>
#include <map>

namespace enfold::gateway {

/// What is checked: copies of what the loop knows.
struct CheckSubject {
  UpstreamSettings settings;
  std::vector<json::Value> definitions;
  std::map<std::string, std::vector<json::Value>> answers;  ///< recorded ones, by tool
  std::optional<redact::Policy> redaction;  ///< of what findings quote; nullopt: off
  /// Also calls each tool once that clients see and that declares readOnlyHint, over a connection
  /// of its own.
  bool calls = false;
  std::chrono::milliseconds most_time{60'000};  ///< of all calls together
};

/// Returns soon after `stop` became true.
[[nodiscard]] check::Report run_check(const CheckSubject& subject, const std::atomic<bool>& stop);

}  // namespace enfold::gateway
