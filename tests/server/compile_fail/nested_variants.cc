// SPDX-License-Identifier: Apache-2.0
// expect: success
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Inner {
  std::variant<int, std::string> number;
  static constexpr auto fields() { return server::fields<&Inner::number>(); }
};
struct Request {
  std::variant<std::string, Inner> choice;
  std::vector<Request> inside;
  static constexpr auto fields() { return server::fields<&Request::choice, &Request::inside>(); }
};

void offer(server::Server& server) {
  server.tool("variants", "Says it", [](const Request&) { return Say{}; });
}
