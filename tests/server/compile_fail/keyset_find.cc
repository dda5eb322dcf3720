// SPDX-License-Identifier: Apache-2.0
// expect: `find` of a keyset takes (const std::optional<Key>& after, std::size_t count)
// names: lambda
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
    return context.page(asked, server::keyset(&Say::text, [](std::string, std::size_t) {
                          return std::vector<Say>();
                        }));
  });
}
