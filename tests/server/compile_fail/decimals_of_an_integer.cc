// SPDX-License-Identifier: Apache-2.0
// expect: decimals() applies to double and float
// names: &Response::number, int
#include "enfold/server/server.h"

using namespace enfold;

struct Response {
  int number = 0;
  static constexpr auto fields() {
    return server::fields(server::field<&Response::number>().decimals(2));
  }
};

void offer(server::Server& server) {
  server.tool("round", "Rounds", [] { return Response{}; });
}
