// SPDX-License-Identifier: Apache-2.0
// A gateway as a process: for one client over stdio in the place of the server it wraps, or for
// many over HTTP. Runs until the client closes its end, or SIGTERM or SIGINT; what was accepted is
// answered first, and the upstreams end in good order.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/serve/http/http.h"
#include "enfold/tools/declare/config.h"

#include <functional>
#include <string>

namespace enfold::gateway {

/// Fails when it cannot serve. An upstream that cannot be reached is an error of the client's call,
/// which may come again. If no upstream was ever reached, the reason is returned at the end; also
/// if no client sent a message and the program of an upstream does not exist.
[[nodiscard]] Status run_stdio(Settings settings);

/// What a new configuration brings to a process that is running.
struct ReloadedSettings {
  Settings settings;
  std::shared_ptr<net::TlsContext> tls;  ///< for new connections; empty: as it was
};
/// Reads the configuration again, on SIGHUP.
using LoadSettings = std::function<tools::ConfigResult<ReloadedSettings>()>;

/// `on_listening` is told the URL. Fails when no upstream can be reached or the address is taken.
[[nodiscard]] Status run_http(Settings settings, serve::HttpOptions options,
                              const std::function<void(const std::string& url)>& on_listening,
                              const LoadSettings& load = {});

}  // namespace enfold::gateway
