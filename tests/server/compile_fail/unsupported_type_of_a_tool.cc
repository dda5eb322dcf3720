// SPDX-License-Identifier: Apache-2.0
// expect: a field is bool, a number, text, an enum class
// names: &Request::numbers
#include "enfold/server/server.h"

#include <list>

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Request {
  std::list<int> numbers;
  static constexpr auto fields() { return server::fields<&Request::numbers>(); }
};

void offer(server::Server& server) {
  server.tool("numbers", "Says it", [](const Request&) { return Say{}; });
}
