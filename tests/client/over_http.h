// SPDX-License-Identifier: Apache-2.0
// A client over HTTP and a server with sessions that leaves its answers to the test.
#pragma once

#include "tests/client/peers.h"

#include <memory>
#include <optional>
#include <string>

namespace enfold::client {

inline bool says(const ScriptedHttp::Seen& seen, std::string_view text) {
  return seen.body.find(text) != std::string::npos;
}

/// Greets in a session and leaves the rest to the test.
struct SessionServer {
  explicit SessionServer(net::Loop& loop)
      : http(loop, [this](const ScriptedHttp::Seen& seen, auto responder) {
          handle(seen, std::move(responder));
        }) {}

  void handle(const ScriptedHttp::Seen& seen, net::Responder responder) {
    if (says(seen, "server/discover")) {
      responder.respond(json_body(refuses(id_of(seen)), 400));
    } else if (says(seen, "\"initialize\"")) {
      net::HttpResponse response = json_body(initialized(id_of(seen)));
      response.headers.add("MCP-Session-Id", fmt::format("s-{}", ++sessions));
      responder.respond(std::move(response));
    } else if (says(seen, "notifications/")) {
      responder.respond({.status = 202, .headers = {}, .body = {}});
    } else if (seen.method == "DELETE") {
      ++ended;
      responder.respond({.status = 200, .headers = {}, .body = {}});
    } else {
      rest(seen, std::move(responder));
    }
  }

  int sessions = 0;
  int ended = 0;
  ScriptedHttp::Handler rest = [](const ScriptedHttp::Seen& seen, net::Responder responder) {
    if (seen.method == "GET") {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else {
      responder.respond(json_body(result(id_of(seen), R"("ok":true)")));
    }
  };
  ScriptedHttp http;
};

inline ClientOptions impatient(ClientOptions::Eras eras = ClientOptions::Eras::both) {
  ClientOptions options;
  options.eras = eras;
  options.startup_timeout = std::chrono::seconds(2);
  options.idle_timeout = std::chrono::seconds(5);
  return options;
}

class OverHttp : public ::testing::Test {
 protected:
  void connect(ClientOptions options = impatient(), HttpTarget target = {}) {
    if (target.url.host.empty()) target = server.http.target();
    client = std::make_unique<Client>(*loop, std::move(target), std::move(options));
    std::optional<Result<mcp::ServerIdentity>> done;
    client->connect([&](Result<mcp::ServerIdentity> said) { done = std::move(said); });
    ASSERT_TRUE(loop.until([&] { return done.has_value(); }));
    greeted = std::move(*done);
  }
  CallResult request(std::string_view method, std::string_view params = "null") {
    std::optional<CallResult> outcome;
    client->request(client->prepare(method, json::parse_own(params)),
                    {.done = [&](CallResult done) { outcome = std::move(done); }});
    EXPECT_TRUE(loop.until([&] { return outcome.has_value(); }));
    return outcome.value_or(tl::unexpected(CallFailure{}));
  }
  net::RunningLoop loop;
  SessionServer server{*loop};
  std::unique_ptr<Client> client;
  Result<mcp::ServerIdentity> greeted;
};

}  // namespace enfold::client
