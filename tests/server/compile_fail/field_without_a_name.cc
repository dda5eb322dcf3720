// SPDX-License-Identifier: Apache-2.0
// expect: a member is a template argument
// names: Member<Bare, nullptr, int>
#include "enfold/server/server.h"

using namespace enfold;

struct Bare {
  std::string text;
  int number = 0;
  static constexpr auto fields() {
    return server::fields(server::field<&Bare::text>(),
                          server::field(&Bare::number).describe("A number"));
  }
};

void offer(server::Server& server) {
  server.tool("bare", "Returns a number", [] { return Bare{}; });
}
