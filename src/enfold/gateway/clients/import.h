// SPDX-License-Identifier: Apache-2.0
// Converts the MCP servers in the settings of clients into a configuration of the gateway. Secrets
// are not copied; the configuration refers to environment variables instead.
#pragma once

#include "enfold/gateway/clients/settings.h"

namespace enfold::gateway {

struct ImportResult {
  std::string toml;
  std::size_t servers = 0;         ///< number of imported servers
  std::vector<std::string> notes;  ///< what was changed or left out, and what to do
};

struct ImportOptions {
  /// The environment: variables that are no secrets are replaced where the configuration cannot
  /// refer to them. Unset: none.
  std::function<std::optional<std::string>(const std::string& name)> variable;
  std::filesystem::path folder;  ///< where relative file names start
  /// Only servers that are configured for all projects, or for this one. Unset: all.
  std::optional<std::filesystem::path> project;
};

/// A server that is in several files alike is imported once. `invalid_input` if the settings list
/// no server that can be imported.
[[nodiscard]] Result<ImportResult> import_servers(std::span<const ClientSettings> files,
                                                  const ImportOptions& options = {});

}  // namespace enfold::gateway
