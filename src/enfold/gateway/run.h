// SPDX-License-Identifier: Apache-2.0
// Runs a gateway as a process: for one client over stdio in place of the server it wraps, or for
// many over HTTP. It ends when the client closes its input, or on SIGTERM or SIGINT; accepted calls
// are answered first, and the upstreams end gracefully.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/serve/http/http.h"
#include "enfold/tools/declare/config.h"

namespace enfold::gateway {

/// Where the dashboard of a gateway over stdio is served, if the settings enable it.
struct StdioDashboard {
  std::uint16_t port = 0;                                  ///< on 127.0.0.1; 0: the system chooses
  std::function<void(const std::string& link)> on_link{};  ///< as HttpEvents::on_dashboard_link
};

/// Returns when the gateway has ended; at once, with an error, if it cannot start. An upstream that
/// cannot be reached does not end the gateway: calls that need it fail, and the client may repeat
/// them. If no upstream was reached until the end, the error returned then says why. If the client
/// sent no message either, no upstream was tried; then it is an error only if the program of an
/// upstream does not exist.
[[nodiscard]] Status run_stdio(Settings settings, const StdioDashboard& dashboard = {});

/// The parts of a new configuration that a running process can apply.
struct ReloadedSettings {
  Settings settings;
  std::shared_ptr<net::TlsContext> tls;  ///< for new connections; empty: unchanged
};
/// Reads the configuration again, on SIGHUP.
using LoadSettings = std::function<tools::ConfigResult<ReloadedSettings>()>;

/// What a gateway over HTTP calls while it runs.
struct HttpEvents {
  std::function<void(const std::string& url)> on_listening;  ///< clients can connect
  /// Opens the dashboard; called again when the link was used. Not called without a dashboard.
  std::function<void(const std::string& link)> on_dashboard_link;
  LoadSettings load{};        ///< on SIGHUP; empty: SIGHUP ends the gateway
  std::string config_file{};  ///< path of the file that `load` reads
  /// The errors of that file. Changes and opens nothing.
  std::function<std::vector<Error>()> check_config{};
};

/// Returns when the gateway has ended; with an error if no upstream can be reached or the address
/// is in use.
[[nodiscard]] Status run_http(Settings settings, serve::HttpOptions options,
                              const HttpEvents& events);

}  // namespace enfold::gateway
