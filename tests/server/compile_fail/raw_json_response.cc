// SPDX-License-Identifier: Apache-2.0
// expect: raw JSON cannot be a response
// names: enfold::json::Value>
#include "enfold/server/server.h"

using namespace enfold;

void offer(server::Server& server) {
  server.tool("raw", "Answers with whatever it likes",
              [](const server::NoArguments&) { return json::parse_own("{}"); });
}
