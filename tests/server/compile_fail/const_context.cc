// SPDX-License-Identifier: Apache-2.0
// expect: a handler takes (const Request&, server::Context&), one of them, or nothing
// names: Wrong<Say (*)(const Say
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

Say say(const Say& asked, const server::Context& context);

void offer(server::Server& server) { server.tool("say", "Says it", say); }
