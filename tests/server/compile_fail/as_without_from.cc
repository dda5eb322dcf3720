// SPDX-License-Identifier: Apache-2.0
// expect: enfold::As of a type that is read has `static T from(const Type&)`
// names: &Request::id
#include "enfold/server/server.h"

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Id {
  int number = 0;
};
template <>
struct enfold::As<Id> {
  using Type = std::string;
  static std::string to(const Id& id) { return std::to_string(id.number); }
};
struct Request {
  Id id;
  static constexpr auto fields() { return server::fields<&Request::id>(); }
};

void offer(server::Server& server) {
  server.tool("id", "Says it", [](const Request&) { return Say{}; });
}
