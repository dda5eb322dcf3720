// SPDX-License-Identifier: Apache-2.0
// expect: it answers later, a server::Reply<Response> by value as its last parameter
// names: Wrong<void (*)(enfold::server::Reply<Say>, const Say
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

void say(server::Reply<Say> reply, const Say& asked);

void offer(server::Server& server) { server.tool("say", "Says it", say); }
