// SPDX-License-Identifier: Apache-2.0
// expect: a response type must declare its fields
// names: basic_string<char
#include "enfold/server/server.h"

using namespace enfold;

void offer(server::Server& server) {
  server.tool("text", "Answers with a bare string",
              [](const server::NoArguments&) { return std::string("{}"); });
}
