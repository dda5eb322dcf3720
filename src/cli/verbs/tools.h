// SPDX-License-Identifier: Apache-2.0
// Fetches the tools of a server, for `tools` and for `call` without a tool.
#pragma once

#include "cli/input/server_link.h"

namespace enfold::cli {

/// Lists the tools, and warns of those that cannot be used. nullopt: an error was reported, and
/// `code` was set to its exit code.
[[nodiscard]] std::optional<client::Toolbox> fetch_tools(ServerLink& link, Terminal& terminal,
                                                         int& code);
/// Prints the tools as text, or with `as_json` as the server sent them.
void print_tools(const client::Toolbox& tools, const mcp::ServerIdentity& server, bool as_json,
                 Terminal& terminal);

}  // namespace enfold::cli
