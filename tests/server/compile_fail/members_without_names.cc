// SPDX-License-Identifier: Apache-2.0
// expect: a member is a template argument
// names: Member<Bare, nullptr,
#include "enfold/server/server.h"

using namespace enfold;

struct Bare {
  std::string text;
  int number = 0;
  static constexpr auto fields() { return server::fields(&Bare::text, &Bare::number); }
};

void offer(server::Server& server) {
  server.tool("bare", "Takes a request", [](const Bare&) { return server::Text{"x"}; });
}
