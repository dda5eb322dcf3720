// SPDX-License-Identifier: Apache-2.0
// expect: the source of a page returns a std::vector, a server::Page, or a Result of one
// names: , Say>
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Request : server::PageRequest {
  static constexpr auto fields() { return server::fields(); }
};

void offer(server::Server& server) {
  server.tool("list", "Lists", [](const Request& asked, server::Context& context) {
    return context.page(asked, [](std::size_t, std::size_t) { return Say(); });
  });
}
