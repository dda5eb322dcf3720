// SPDX-License-Identifier: Apache-2.0
// expect: the key of a keyset is a number, a text, an enum, a time, or a type with As
// names: Wrong<std::vector<int
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::vector<int> numbers;
  static constexpr auto fields() { return server::fields<&Say::numbers>(); }
};

struct Request : server::PageRequest {
  static constexpr auto fields() { return server::fields(); }
};

void offer(server::Server& server) {
  server.tool("list", "Lists", [](const Request& asked, server::Context& context) {
    return context.page(
        asked, server::keyset(&Say::numbers, [](auto, std::size_t) { return std::vector<Say>(); }));
  });
}
