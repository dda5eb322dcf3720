// SPDX-License-Identifier: Apache-2.0
// expect: a resource returns a text
// names: , Bare>
#include "enfold/server/server.h"

using namespace enfold;

struct Bare {
  int number = 0;
};

void offer(server::Server& server) {
  server.resource("shop://bare", "Bare", [] { return Bare{}; });
}
