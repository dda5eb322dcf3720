// SPDX-License-Identifier: Apache-2.0
// Replaces the settings of a gateway that is running. No call is dropped.
#pragma once

#include "enfold/gateway/call/services.h"

namespace enfold::gateway {

struct ReloadResult {
  std::string summary;              ///< for the log
  std::set<std::string> dismissed;  ///< principals that were removed or got another key
};

class Reload : public std::enable_shared_from_this<Reload> {
 public:
  using Done = net::Callback<void(Result<ReloadResult>)>;
  /// `apply` gives the settings to the gateway. If they have no archive, counters or cursor key,
  /// those of the current settings are kept.
  Reload(const CallServices& services, Settings settings, std::function<void(Settings)> apply,
         Done done)
      : services_(services),
        settings_(std::move(settings)),
        apply_(std::move(apply)),
        done_(std::move(done)) {}

  /// Connects new upstreams, then replaces the settings and calls `done`. If `done` gets an error,
  /// the gateway keeps its settings.
  void start();

 private:
  /// A new upstream was connected, or cannot be reached. The last call replaces the settings.
  void on_connected();
  [[nodiscard]] Result<ReloadResult> replace_settings();
  /// Called for an upstream that was removed.
  void forget(const Upstream& upstream);

  const CallServices& services_;
  Settings settings_;
  std::function<void(Settings)> apply_;
  Done done_;
  std::size_t connecting_ = 0;  ///< calls of on_connected that are still to come
};

}  // namespace enfold::gateway
