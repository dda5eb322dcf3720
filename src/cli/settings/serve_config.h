// SPDX-License-Identifier: Apache-2.0
// `enfold serve --config FILE`: loads, checks and reloads the file. Nothing is started before the
// whole file is valid.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/gateway/config/settings_from_config.h"
#include "enfold/gateway/run.h"

#include <string>

namespace enfold::cli {

/// The settings of the file, or all its errors. Opens neither the archive nor upstreams.
[[nodiscard]] tools::ConfigResult<gateway::ServeSettings> load_config(const std::string& file);

/// Settings that change only with a restart.
struct StartupConfig {
  explicit StartupConfig(const gateway::ServeSettings& serving);
  std::string address;               ///< host, port, and " (https)" with TLS
  mode_t socket_mode = 0;            ///< of a Unix socket
  std::vector<std::string> hosts;    ///< accepted values of Host
  std::vector<std::string> origins;  ///< accepted values of Origin
  std::size_t max_connections = 0;
  std::size_t max_open_requests = 0;
  std::string archive;  ///< a place, memory or none; empty: the default archive
  store::ArchiveOptions archive_options;
  gateway::ObserveSettings observe;
  gateway::DashboardSettings dashboard;
  std::size_t workers;
  std::size_t max_processes;
  std::size_t max_open_calls;
  bool has_archive;   ///< open_state() opens `archive`, unless that is memory or none
  bool has_counters;  ///< there are rate limits
};

/// On SIGHUP: reads the file again. `startup`: the settings with which the gateway was started. A
/// changed startup setting is logged and takes effect with the next start. Archive and counters are
/// opened only if the gateway was started without them, so that a store that is down does not
/// prevent the reload.
[[nodiscard]] tools::ConfigResult<gateway::ReloadedSettings> reload_config(
    const std::string& file, const StartupConfig& startup);

/// The URL that a gateway with these options listens on.
[[nodiscard]] std::string url_of(const serve::HttpOptions& http);

/// --check: prints a summary of the file, or its errors.
[[nodiscard]] int check_config(const std::string& file, bool as_json, Terminal& terminal);

}  // namespace enfold::cli
