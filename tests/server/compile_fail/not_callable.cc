// SPDX-License-Identifier: Apache-2.0
// expect: a handler is a function, or an object with one const operator()
// names: Wrong<Say>
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

void offer(server::Server& server) { server.tool("say", "Says it", Say{}); }
