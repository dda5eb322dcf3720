// SPDX-License-Identifier: Apache-2.0
// expect: a text that is read is a std::string, not a std::string_view
// names: &Request::text, std::basic_string_view<char
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Request {
  std::string_view text;
  static constexpr auto fields() { return server::fields<&Request::text>(); }
};

void offer(server::Server& server) {
  server.tool("view", "Says it", [](const Request&) { return Say{}; });
}
