// SPDX-License-Identifier: Apache-2.0
// Actions of the state machines as JSON, and the lines of a transcript. A line either does
// something to a peer ({"do": …}) or sees the next action that came of it ({"see": …}); what is
// seen must be all there is. docs/protocol.md lists the words.
#pragma once

#include "enfold/mcp/client_peer.h"
#include "enfold/mcp/server_peer.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace enfold::mcp::testing {

[[nodiscard]] std::string describe(const ServerAction& action);
[[nodiscard]] std::string describe(const ClientAction& action);

/// Runs one file; the list of complaints is empty when it holds.
[[nodiscard]] std::vector<std::string> run_transcript(const std::string& text);

/// A server with everything, as the recorded exchanges have it.
[[nodiscard]] ServerConfig fixture_config();

}  // namespace enfold::mcp::testing
