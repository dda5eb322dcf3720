// SPDX-License-Identifier: Apache-2.0
// Runs a gateway as a process: for one client over stdio in place of the server it wraps, or for
// many over HTTP. It ends when the client closes its input, or on SIGTERM or SIGINT; accepted calls
// are answered first, and the upstreams end gracefully.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/serve/http/http.h"
#include "enfold/tools/declare/config.h"

namespace enfold::gateway {

/// Fails when it cannot serve. If an upstream cannot be reached, the client's call fails and may be
/// repeated. If no upstream was ever reached, the reason is returned at the end; also if no client
/// sent a message and the program of an upstream does not exist.
[[nodiscard]] Status run_stdio(Settings settings);

/// The parts of a new configuration that a running process can apply.
struct ReloadedSettings {
  Settings settings;
  std::shared_ptr<net::TlsContext> tls;  ///< for new connections; empty: unchanged
};
/// Reads the configuration again, on SIGHUP.
using LoadSettings = std::function<tools::ConfigResult<ReloadedSettings>()>;

/// `on_listening` is called with the URL. Fails when no upstream can be reached or the address is
/// in use.
[[nodiscard]] Status run_http(Settings settings, serve::HttpOptions options,
                              const std::function<void(const std::string& url)>& on_listening,
                              const LoadSettings& load = {});

}  // namespace enfold::gateway
