// SPDX-License-Identifier: Apache-2.0
// expect: an enum class (at most 64 enumerators from 0 without a gap)
// names: &Request::order, Order
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

enum class Order { title = 1, price = 7 };
struct Request {
  Order order = Order::title;
  static constexpr auto fields() { return server::fields<&Request::order>(); }
};

void offer(server::Server& server) {
  server.tool("order", "Says it", [](const Request&) { return Say{}; });
}
