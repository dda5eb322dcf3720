// SPDX-License-Identifier: Apache-2.0
// expect: fields() of the response lists the member that holds the rows of a page
// names: Wrong<Response>
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Request : server::PageRequest {
  static constexpr auto fields() { return server::fields(); }
};

struct Response {
  std::vector<Say> rows;
  int number = 0;
  static constexpr auto fields() { return server::fields<&Response::number>(); }
};

void offer(server::Server& server) {
  server.tool("list", "Lists", [](const Request& asked, server::Context& context) {
    return context.page(
        asked, [](std::size_t, std::size_t) { return Response(); }, &Response::rows);
  });
}
