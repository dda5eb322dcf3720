// SPDX-License-Identifier: Apache-2.0
// Lists the tools of a server; `call` without a tool uses it too.
#pragma once

#include "cli/input/server_link.h"

namespace enfold::cli {

/// Lists the tools and says what is wrong with others; nullopt after a report, with the exit code.
[[nodiscard]] std::optional<client::Toolbox> fetch_tools(ServerLink& link, Terminal& terminal,
                                                         int& code);
void print_tools(const client::Toolbox& tools, const mcp::ServerIdentity& server, bool as_json,
                 Terminal& terminal);

}  // namespace enfold::cli
