// SPDX-License-Identifier: Apache-2.0
// expect: success
#include "enfold/server/server.h"

#include <thread>

using namespace enfold;

struct Say {
  std::string text;
  static constexpr auto fields() { return server::fields<&Say::text>(); }
};

struct Shop {
  Say say(const Say& asked) { return asked; }
  Say quiet(const Say& asked, server::Context&) const noexcept { return asked; }
  void later(const Say& asked, server::Reply<Say> reply) { reply.finish(asked); }
};

Say free_function(const Say& asked, server::Context&) noexcept { return asked; }
Say nothing() { return {}; }

void offer(server::Server& server, Shop& shop, std::unique_ptr<Shop> owned) {
  server.tool("free", "A function", free_function);
  server.tool("none", "Takes nothing", nothing);
  server.tool("context", "Takes the context", [](server::Context&) { return Say{}; });
  server.tool("member", "A member function", &Shop::say, shop);
  server.tool("const_member", "A const member function", &Shop::quiet, shop);
  server.tool("shared", "Keeps its object", &Shop::quiet, std::make_shared<Shop>());
  server.tool("owner", "Owns what can only be moved",
              [owned = std::move(owned)](const Say& asked) { return owned->say(asked); });
  server.tool("later", "Answers later", &Shop::later, shop);
  server.tool("reply", "Takes a reply only", [](server::Reply<Say> reply) { reply.finish(Say{}); });
  server.tool("reply_context", "Takes both",
              [](server::Context&, server::Reply<server::Text> reply) { (void)reply; });
  server.tool("all", "Takes everything", [](Say asked, server::Context&, server::Reply<Say> reply) {
    std::thread([asked, reply = std::move(reply)] { reply.finish(asked); }).detach();
  });
  server.tool("result", "May fail", [](Say asked) -> Result<Say> { return asked; });
}
