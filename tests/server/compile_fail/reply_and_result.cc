// SPDX-License-Identifier: Apache-2.0
// expect: a handler that takes a server::Reply returns void: it answers with Reply::finish()
// names: Wrong<Say (*)(const Say
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

Say say(const Say& asked, server::Reply<Say> reply);

void offer(server::Server& server) { server.tool("say", "Says it", say); }
