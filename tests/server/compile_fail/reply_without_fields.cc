// SPDX-License-Identifier: Apache-2.0
// expect: a response type must declare its fields
// names: ResponseOf<void (*)(const Say
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

void say(const Say& asked, server::Reply<std::string> reply);

void offer(server::Server& server) { server.tool("say", "Says it", say); }
