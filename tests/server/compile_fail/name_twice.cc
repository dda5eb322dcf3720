// SPDX-License-Identifier: Apache-2.0
// expect: a struct declares each field name once
// names: &Request::other
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Request {
  int number = 0;
  int other = 0;
  static constexpr auto fields() {
    return server::fields(server::field<&Request::number>(),
                          server::field<&Request::other>("number"));
  }
};

void offer(server::Server& server) {
  server.tool("twice", "Says it", [](const Request&) { return Say{}; });
}
