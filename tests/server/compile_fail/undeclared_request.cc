// SPDX-License-Identifier: Apache-2.0
// expect: a struct that is read declares its members
// names: , Undeclared>
#include "enfold/server/server.h"

using namespace enfold;

struct Undeclared {
  int number = 0;
};

void offer(server::Server& server) {
  server.tool("undeclared", "Takes what nobody knows",
              [](const Undeclared&) { return server::Text{"x"}; });
}
