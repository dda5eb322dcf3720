// SPDX-License-Identifier: Apache-2.0
// Sessions that an HTTP server has forgotten: what is sent again, and what is not.
#include "tests/client/over_http.h"

namespace enfold::client {
namespace {

using Seen = ScriptedHttp::Seen;

class ForgottenSession : public OverHttp {};

TEST_F(ForgottenSession, is_opened_again_for_the_call) {
  server.rest = [&](const Seen& seen, net::Responder responder) {
    const bool forgotten = seen.header("MCP-Session-Id") == "s-1";
    if (seen.method == "GET") {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else {
      responder.respond(forgotten ? json_body("{}", 404)
                                  : json_body(result(id_of(seen), R"("ok":true)")));
    }
  };
  connect();
  ASSERT_TRUE(request("tools/list").has_value());
  EXPECT_EQ(server.sessions, 2);
  EXPECT_EQ(server.http.count("server/discover"), 1U);  // the era is remembered
}

TEST_F(ForgottenSession, is_opened_again_for_all_its_calls) {
  std::optional<net::Responder> slow;
  std::size_t asked = 0;
  server.rest = [&](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET") {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else if (seen.header("MCP-Session-Id") != "s-1") {
      responder.respond(json_body(result(id_of(seen), R"("ok":true)")));
    } else if (++asked == 1) {
      slow.emplace(std::move(responder));
    } else {
      responder.respond(json_body("{}", 404));
    }
  };
  connect();
  std::vector<CallResult> outcomes;
  const auto begin = [&] {
    client->request(client->prepare("tools/list", json::Value()),
                    {.done = [&](CallResult done) { outcomes.push_back(std::move(done)); }});
  };
  for (int i = 0; i < 8; ++i) begin();
  ASSERT_TRUE(loop.until([&] { return asked == 8; }));
  begin();  // while the first may still be answered
  slow->respond(json_body("{}", 404));
  ASSERT_TRUE(loop.until([&] { return outcomes.size() == 9; }));
  for (const CallResult& outcome : outcomes) {
    EXPECT_TRUE(outcome.has_value()) << outcome.error().error.message;
  }
  EXPECT_EQ(server.sessions, 2);
}

TEST_F(ForgottenSession, may_still_answer_a_call) {
  std::optional<net::Responder> slow;
  std::string id;
  server.rest = [&](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET") {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else if (says(seen, "slow")) {
      id = std::to_string(id_of(seen));
      slow.emplace(std::move(responder));
    } else if (seen.header("MCP-Session-Id") == "s-1") {
      responder.respond(json_body("{}", 404));
    } else {
      responder.respond(json_body(result(id_of(seen), R"("ok":true)")));
    }
  };
  connect();
  std::optional<CallResult> first;
  client->request(client->prepare("slow", json::Value()),
                  {.done = [&](CallResult done) { first = std::move(done); }});
  ASSERT_TRUE(loop.until([&] { return slow.has_value(); }));
  std::optional<CallResult> second;
  client->request(client->prepare("tools/list", json::Value()),
                  {.done = [&](CallResult done) { second = std::move(done); }});
  ASSERT_TRUE(loop.until([&] { return server.http.count("tools/list") == 1; }));
  slow->respond(json_body(result(std::stoi(id), R"("ok":true)")));
  ASSERT_TRUE(loop.until([&] { return first && second; }));
  EXPECT_TRUE(first->has_value()) << "it was answered in the old session";
  EXPECT_TRUE(second->has_value()) << "it was sent again";
  EXPECT_EQ(server.http.count("slow"), 1U);
  EXPECT_EQ(server.sessions, 2);
}

TEST_F(ForgottenSession, is_not_opened_again_after_disconnect) {
  std::optional<net::Responder> slow;
  server.rest = [&](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET") {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else if (says(seen, "slow")) {
      slow.emplace(std::move(responder));
    } else {
      responder.respond(json_body("{}", 404));
    }
  };
  connect();
  std::vector<CallResult> outcomes;
  const auto begin = [&](const char* method) {
    client->request(client->prepare(method, json::Value()),
                    {.done = [&](CallResult done) { outcomes.push_back(std::move(done)); }});
  };
  begin("slow");  // keeps the connection: it may still be answered
  begin("tools/list");
  ASSERT_TRUE(loop.until([&] { return slow && server.http.count("tools/list") == 1; }));
  loop.until_quiet([] { return false; });
  client->disconnect({ErrorCode::unavailable, "given up", {}, {}});
  EXPECT_FALSE(client->is_connecting());
  ASSERT_EQ(outcomes.size(), 2U);
  for (const CallResult& outcome : outcomes) {
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().error.message, "given up");
  }
  EXPECT_EQ(server.sessions, 1);
}

TEST_F(ForgottenSession, has_a_call_that_was_accepted_sent_once) {
  int posted = 0;
  server.rest = [&](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET" && seen.header("Last-Event-ID").empty()) {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else if (seen.method == "GET") {
      responder.respond(json_body("{}", 404));
    } else {
      ++posted;
      responder.respond(event_stream("id: e-1\nretry: 1\ndata: \n\n"));
    }
  };
  connect();
  EXPECT_FALSE(request("tools/list").has_value());
  EXPECT_EQ(posted, 1) << "it may have run";
}

}  // namespace
}  // namespace enfold::client
