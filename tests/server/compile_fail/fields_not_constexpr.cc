// SPDX-License-Identifier: Apache-2.0
// expect: fields() is constexpr: static constexpr auto fields()
// names: Wrong<Request>
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Request {
  int number = 0;
  static auto fields() { return server::fields<&Request::number>(); }
};

void offer(server::Server& server) {
  server.tool("run_time", "Says it", [](const Request&) { return Say{}; });
}
