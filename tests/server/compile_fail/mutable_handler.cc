// SPDX-License-Identifier: Apache-2.0
// expect: because calls may run at the same time: a lambda cannot be mutable
// names: lambda
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

void offer(server::Server& server) {
  server.tool("say", "Counts",
              [count = 0](const Say&) mutable { return Say{std::to_string(++count)}; });
}
