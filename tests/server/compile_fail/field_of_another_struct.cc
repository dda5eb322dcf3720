// SPDX-License-Identifier: Apache-2.0
// expect: a struct declares its own members, not those of another struct
// names: &Say::text
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Shout {
  std::string text;
  static constexpr auto fields() { return server::fields(server::field<&Say::text>()); }
};

void offer(server::Server& server) {
  server.tool("say", "Says", [](const Shout&) { return Say{}; });
}
