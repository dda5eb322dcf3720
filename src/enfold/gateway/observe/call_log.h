// SPDX-License-Identifier: Apache-2.0
// Writes finished calls to the log and counts them in the metrics.
#pragma once

#include "enfold/gateway/config/environment.h"
#include "enfold/gateway/observe/metrics.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace enfold::gateway {

/// The name of an upstream in metrics. The only upstream of a command line has no name, so it gets
/// a default.
[[nodiscard]] std::string_view metrics_name(std::string_view upstream);

class CallLog {
 public:
  /// Whether an upstream lists a tool; nullopt: its list is not known.
  using IsListed = std::function<std::optional<bool>(std::string_view upstream, std::string_view)>;
  CallLog(const Environment& environment, IsListed is_listed)
      : environment_(environment), is_listed_(std::move(is_listed)) {}

  void note(const serve::LogLine& call);
  /// Writes a warning unless one with the same key was written before.
  void warn_once(const std::string& key, const serve::LogLine& warning);
  /// A log for the gateway's local tools, which are counted as an upstream.
  [[nodiscard]] serve::Log for_local_tools();

  [[nodiscard]] const Metrics& metrics() const { return metrics_; }
  /// Sums over earlier answers of a tool, if they suffice to estimate the next one; nullptr: the
  /// next answer must be measured.
  [[nodiscard]] const serve::LogLine::Weight* typical(std::string_view upstream,
                                                      std::string_view tool) const;

 private:
  [[nodiscard]] bool is_counted_by_name(const serve::LogLine& call) const;

  const Environment& environment_;
  IsListed is_listed_;
  Metrics metrics_;
  std::set<std::string> warned_;
};

}  // namespace enfold::gateway
