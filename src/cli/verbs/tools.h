// SPDX-License-Identifier: Apache-2.0
// Fetches the tools of a server, for `tools` and for `call` without a tool.
#pragma once

#include "cli/input/server_link.h"

namespace enfold::cli {

/// Warns of tools that cannot be used; nullopt after an error was reported, with its exit `code`.
[[nodiscard]] std::optional<client::Toolbox> fetch_tools(ServerLink& link, Terminal& terminal,
                                                         int& code);
void print_tools(const client::Toolbox& tools, const mcp::ServerIdentity& server, bool as_json,
                 Terminal& terminal);

}  // namespace enfold::cli
