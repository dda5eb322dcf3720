// SPDX-License-Identifier: Apache-2.0
// Runs a gateway as a process: for one client over stdio in place of the server it wraps, or for
// many over HTTP. It ends when the client closes its input, or on SIGTERM or SIGINT; accepted calls
// are answered first, and the upstreams end gracefully.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/serve/http/http.h"
#include "enfold/tools/declare/config.h"

namespace enfold::gateway {

/// Returns when the gateway has ended; with an error if it could not serve. If an upstream cannot
/// be reached, only the client's calls fail, which the client may repeat. The error says why no
/// upstream was ever reached, or that the program of an upstream does not exist although no client
/// sent a message.
[[nodiscard]] Status run_stdio(Settings settings);

/// The parts of a new configuration that a running process can apply.
struct ReloadedSettings {
  Settings settings;
  std::shared_ptr<net::TlsContext> tls;  ///< for new connections; empty: unchanged
};
/// Reads the configuration again, on SIGHUP.
using LoadSettings = std::function<tools::ConfigResult<ReloadedSettings>()>;

/// Returns when the gateway has ended; with an error if no upstream can be reached or the address
/// is in use. `on_listening` is called with the URL when clients can connect. `load` is called on
/// SIGHUP; empty: SIGHUP ends the gateway.
[[nodiscard]] Status run_http(Settings settings, serve::HttpOptions options,
                              const std::function<void(const std::string& url)>& on_listening,
                              const LoadSettings& load = {});

}  // namespace enfold::gateway
