// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/breaker.h"
#include "enfold/gateway/upstream/connection.h"
#include "tests/gateway/meeting.h"
#include "tests/net/http_peers.h"

namespace enfold::gateway {
namespace {

/// A server with sessions over HTTP that can forget them.
struct ForgetfulServer {
  explicit ForgetfulServer(net::Loop& loop) {
    http = net::HttpServer::listen(loop, {},
                                   [this](net::HttpRequest& request, net::Responder responder) {
                                     responder.respond(answer(request));
                                   })
               .value();
  }

  net::HttpResponse answer(const net::HttpRequest& request) {
    if (request.head.method() != "POST") return {405, {}, ""};
    const json::Value message = json::parse_own(request.body);
    const bool begins = message->find("method")->equals("initialize");
    if (!begins && request.head.find("Mcp-Session-Id") != std::to_string(session)) {
      return {404, {}, ""};
    }
    if (!message->find("id")) return {202, {}, ""};
    net::HttpResponse response{
        200,
        {},
        fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})",
                    json::to_text(*message->find("id")),
                    begins ? R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                             R"("serverInfo":{"name":"played","version":"1"}})"
                           : R"({"content":[]})")};
    response.headers.add("Content-Type", "application/json");
    if (begins) response.headers.add("Mcp-Session-Id", std::to_string(session));
    return response;
  }

  int session = 1;
  std::unique_ptr<net::HttpServer> http;
};

struct Listener final : UpstreamOwner {
  void on_event(UpstreamConnection& /*link*/, client::Event event) override {
    if (std::holds_alternative<mcp::Ready>(event)) ++readies;
  }
  void filter_reply(std::string_view /*method*/, const std::string& /*principal*/,
                    client::CallResult result, Filtered done) const override {
    done(std::move(result));
  }
  std::optional<json::Value> shown_progress(UpstreamConnection& /*link*/,
                                            const json::Value& params) override {
    return params;
  }
  void work(const UpstreamSettings& /*upstream*/, std::size_t /*bytes*/, net::Task /*job*/,
            net::Task /*done*/) override {
    ADD_FAILURE() << "no message is long";
  }
  int readies = 0;
};

// Subscriptions and the like have to be made again.
TEST(UpstreamConnection, says_that_a_forgotten_session_was_begun_anew) {
  net::RunningLoop loop;
  ForgetfulServer server(*loop);
  UpstreamSettings settings = upstream();
  settings.eras = client::ClientOptions::Eras::sessions;
  settings.target =
      client::http_target(fmt::format("http://127.0.0.1:{}/mcp", server.http->port())).value();
  Breakers breaker(settings.circuit_breaker);
  Listener listener;
  UpstreamConnection link(*loop, settings, breaker, listener, nullptr, mcp::Era::sessions);
  const auto call = [&] {
    std::optional<bool> well;
    link.request(link.prepare("tools/call", json::parse_own(R"({"name":"x"})")),
                 {.done = [&](const client::CallResult& result) { well = result.has_value(); }});
    EXPECT_TRUE(loop.until([&] { return well.has_value(); }));
    return well.value_or(false);
  };
  EXPECT_TRUE(call());
  EXPECT_EQ(listener.readies, 1);
  ++server.session;
  EXPECT_TRUE(call()) << "it is sent again";
  EXPECT_EQ(listener.readies, 2);
  bool closed = false;
  link.close([&] { closed = true; });
  EXPECT_TRUE(loop.until([&] { return closed; }));
}

}  // namespace
}  // namespace enfold::gateway
