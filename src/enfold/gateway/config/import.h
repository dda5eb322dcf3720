// SPDX-License-Identifier: Apache-2.0
// From the list of servers that a client keeps for itself to a configuration of the gateway:
// `mcpServers` of Claude Desktop, Claude Code and Cursor, `servers` of VS Code. Secrets are not
// taken over; the configuration names the variable that they come from.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <string>
#include <vector>

namespace enfold::gateway {

struct Imported {
  std::string toml;
  std::size_t servers = 0;         ///< that were taken over
  std::vector<std::string> notes;  ///< what was changed or left out, and what is to be done
};

/// Some clients allow comments and commas behind the last item; JSON does not.
[[nodiscard]] std::string without_comments(std::string text);

/// `invalid_input` when there is no such list in it. `name` is what people call the file.
[[nodiscard]] Result<Imported> import_servers(json::View settings, const std::string& name);

}  // namespace enfold::gateway
