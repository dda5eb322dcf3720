// SPDX-License-Identifier: Apache-2.0
// Converts the MCP servers in the settings of clients into a configuration of the gateway. Secrets
// are not copied; the configuration refers to environment variables instead.
#pragma once

#include "enfold/gateway/clients/settings.h"

namespace enfold::gateway {

struct ImportResult {
  std::string toml;                ///< the configuration
  std::size_t servers = 0;         ///< number of imported servers
  std::vector<std::string> notes;  ///< what was changed or left out, and what the user must do
};

struct ImportOptions {
  /// Reads the environment. Where the configuration cannot refer to a variable, it gets the
  /// variable's value, unless that is a secret. Unset: no variable has a value.
  std::function<std::optional<std::string>(const std::string& name)> variable;
  /// The current folder. Relative names of settings files start there, relative paths in a settings
  /// file at the folder of that file. For settings in the home folder it is the project.
  std::filesystem::path folder;
  /// Imports only servers that are configured for all projects or for this one. Unset: all servers.
  std::optional<std::filesystem::path> project;
};

/// A server that several files have under the same name and with the same settings is imported
/// once. `invalid_input` if no server can be imported.
[[nodiscard]] Result<ImportResult> import_servers(std::span<const ClientSettings> files,
                                                  const ImportOptions& options = {});

}  // namespace enfold::gateway
