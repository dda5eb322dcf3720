// SPDX-License-Identifier: Apache-2.0
// expect: a field is bool, a number, text, an enum class
// names: &Request::inner, std::vector<Inner
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Inner {
  int number = 0;
};
struct Request {
  std::vector<Inner> inner;
  static constexpr auto fields() { return server::fields<&Request::inner>(); }
};

void offer(server::Server& server) {
  server.tool("nested", "Says it", [](const Request&) { return Say{}; });
}
