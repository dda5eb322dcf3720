// SPDX-License-Identifier: Apache-2.0
// expect: a struct that is read declares its members
// names: , Bare>
#include "enfold/server/server.h"

using namespace enfold;

struct Bare {
  int number = 0;
};

void offer(server::Server& server) {
  server.prompt("bare", "Bare", [](const Bare&) { return "x"; });
}
