// SPDX-License-Identifier: Apache-2.0
// expect: success
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Request {
  bool check = false;
  static constexpr auto fields() { return server::fields<&Request::check>(); }
};

void offer(server::Server& server) {
  server.tool("check", "Says it", [](const Request&) { return Say{}; });
}
