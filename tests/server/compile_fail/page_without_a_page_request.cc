// SPDX-License-Identifier: Apache-2.0
// expect: the request of a page derives from server::PageRequest
// names: , Say>
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

void offer(server::Server& server) {
  server.tool("list", "Lists", [](const Say& asked, server::Context& context) {
    return context.page(asked, [](std::size_t, std::size_t) { return std::vector<Say>(); });
  });
}
