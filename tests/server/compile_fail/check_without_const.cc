// SPDX-License-Identifier: Apache-2.0
// expect: check() of a request is `void check(server::Problems& problems) const`
// names: Wrong<Request>
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Request {
  int number = 0;
  static constexpr auto fields() { return server::fields<&Request::number>(); }
  void check(server::Problems& problems) { problems.add("number", "another one"); }
};

void offer(server::Server& server) {
  server.tool("check", "Says it", [](const Request&) { return Say{}; });
}
