// SPDX-License-Identifier: Apache-2.0
// expect: the object of a member function must outlive the server
// names: Shop
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Shop {
  Say say(const Say& asked) const { return asked; }
};

void offer(server::Server& server) { server.tool("say", "Says", &Shop::say, Shop()); }
