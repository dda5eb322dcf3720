// SPDX-License-Identifier: Apache-2.0
// Turns a configuration into the settings of a gateway. Starts no process, opens no archive and
// connects to no upstream, so `enfold serve --check` can use it.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/config/values.h"
#include "enfold/serve/http/http.h"

namespace enfold::gateway {

struct ServeSettings {
  Settings settings;  ///< without archive, counters and cursor key, which the caller adds
  serve::HttpOptions http;
  std::string archive;  ///< a file, redis://…, memory or none; empty: the default place
};

/// The settings, or all errors of the configuration.
[[nodiscard]] tools::ConfigResult<ServeSettings> settings_from_config(const ReadConfig& read,
                                                                      const ConfigSources& sources);

/// The monitoring endpoints that are served by default: all on a loopback address, none elsewhere.
[[nodiscard]] ObserveSettings default_observe_settings(const serve::HttpOptions& options);

/// Whether the dashboard is served by default: only on a loopback address.
[[nodiscard]] bool serves_dashboard(const serve::HttpOptions& options);

/// Parses HOST:PORT into `options.host` and `options.port`, and unix:PATH into `options.host`.
[[nodiscard]] Status read_address(const std::string& address, serve::HttpOptions& options);

/// The canonical name of a contract; the error lists the known names.
[[nodiscard]] Result<std::string> find_contract(const std::string& name);

}  // namespace enfold::gateway
