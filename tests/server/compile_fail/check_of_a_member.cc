// SPDX-License-Identifier: Apache-2.0
// expect: check() of a request is `void check(server::Problems& problems) const`
// names: Wrong<Range>
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Range {
  int low = 0;
  static constexpr auto fields() { return server::fields<&Range::low>(); }
  bool check() const { return low > 0; }
};
struct Request {
  std::vector<Range> ranges;
  static constexpr auto fields() { return server::fields<&Request::ranges>(); }
};

void offer(server::Server& server) {
  server.tool("check", "Says it", [](const Request&) { return Say{}; });
}
