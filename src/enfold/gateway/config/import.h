// SPDX-License-Identifier: Apache-2.0
// Converts the MCP servers in the settings of a client into a configuration of the gateway:
// `mcpServers` of Claude Desktop, Claude Code and Cursor, `servers` of VS Code. Secrets are not
// copied; the configuration refers to environment variables instead.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

namespace enfold::gateway {

struct ImportResult {
  std::string toml;
  std::size_t servers = 0;         ///< number of imported servers
  std::vector<std::string> notes;  ///< what was changed or left out, and what to do
};

/// Removes comments and trailing commas, which some clients allow in JSON.
[[nodiscard]] std::string without_comments(std::string text);

/// `invalid_input` if the settings list no server that can be imported. `name` is the file name for
/// messages.
[[nodiscard]] Result<ImportResult> import_servers(json::View settings, const std::string& name);

}  // namespace enfold::gateway
