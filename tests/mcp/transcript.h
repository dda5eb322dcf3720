// SPDX-License-Identifier: Apache-2.0
// Actions of the state machines as JSON, as transcripts see them (tests/transcripts).
#pragma once

#include "enfold/mcp/peer/client_peer.h"
#include "enfold/mcp/peer/server_peer.h"

#include <string>

namespace enfold::mcp::testing {

[[nodiscard]] std::string describe(const ServerAction& action);
[[nodiscard]] std::string describe(const ClientAction& action);

/// A server with everything, as the recorded exchanges have it.
[[nodiscard]] inline ServerConfig fixture_config() {
  ServerConfig config;
  config.info =
      json::parse_own(R"({"name":"fixture-server","version":"1.0.0","title":"Dual-era fixture"})");
  config.capabilities = Capabilities(json::parse_own(
      R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},)"
      R"("resources":{"subscribe":true,"listChanged":true},"logging":{},"completions":{}})"));
  config.instructions = "Fixture server for gateway tests.";
  return config;
}

}  // namespace enfold::mcp::testing
