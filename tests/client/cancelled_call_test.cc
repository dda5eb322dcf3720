// SPDX-License-Identifier: Apache-2.0
// Calls over HTTP in a session that are cancelled, although a late answer is wanted.
#include "tests/client/over_http.h"

namespace enfold::client {
namespace {

using Seen = ScriptedHttp::Seen;

class CancelledCall : public OverHttp {
 protected:
  /// A client with that many connections to a server that keeps calls of `slow` open.
  void connect_with(std::size_t connections) {
    server.rest = [&](const Seen& seen, net::Responder responder) {
      if (seen.method == "GET") {
        responder.respond({.status = 405, .headers = {}, .body = {}});
      } else if (says(seen, "slow")) {
        ids.push_back(id_of(seen));
        slow.push_back(std::move(responder));
      } else {
        responder.respond(json_body(result(id_of(seen), R"("ok":true)")));
      }
    };
    HttpTarget target = server.http.target();
    target.max_connections = connections;
    connect(impatient(), std::move(target));
  }
  mcp::CallKey begin(const std::string& method) {
    return client->request(client->prepare(method, json::Value()),
                           {.done = [&](CallResult done) { outcomes.push_back(std::move(done)); }});
  }
  bool cancel(mcp::CallKey call) {
    const bool waits = client->cancel(call, "enough", mcp::LateAnswer::report);
    if (!waits) client->cancel(call, "enough");  // as the owner of a call does
    return waits;
  }

  std::vector<int> ids;
  std::vector<net::Responder> slow;
  std::vector<CallResult> outcomes;
};

TEST_F(CancelledCall, may_still_be_answered) {
  connect_with(8);
  const mcp::CallKey call = begin("slow");
  ASSERT_TRUE(loop.until([&] { return slow.size() == 1; }));
  EXPECT_TRUE(cancel(call));
  EXPECT_FALSE(client->cancel(call, "again", mcp::LateAnswer::report)) << "it is told once";
  ASSERT_TRUE(loop.until([&] { return server.http.count("notifications/cancelled") == 1; }));
  slow.front().respond(json_body(result(ids.front(), R"("ok":true)")));
  ASSERT_TRUE(loop.until([&] { return outcomes.size() == 1; }));
  EXPECT_TRUE(outcomes.front().has_value());
}

TEST_F(CancelledCall, frees_its_connection_if_few_are_left) {
  connect_with(1);
  const mcp::CallKey call = begin("slow");
  ASSERT_TRUE(loop.until([&] { return slow.size() == 1; }));
  EXPECT_FALSE(cancel(call));
  EXPECT_TRUE(loop.until([&] { return server.http.count("notifications/cancelled") == 1; }));
  EXPECT_TRUE(request("tools/list").has_value()) << "the next call does not wait for it";
}

TEST_F(CancelledCall, that_waits_for_a_connection_is_not_sent) {
  connect_with(1);
  begin("slow");
  ASSERT_TRUE(loop.until([&] { return slow.size() == 1; }));
  const mcp::CallKey waiting = begin("tools/call");
  EXPECT_FALSE(cancel(waiting));
  slow.front().respond(json_body(result(ids.front(), R"("ok":true)")));
  ASSERT_TRUE(loop.until([&] { return outcomes.size() == 1; }));
  EXPECT_TRUE(request("tools/list").has_value());
  EXPECT_EQ(server.http.count("tools/call"), 0U);
  EXPECT_EQ(server.http.count("notifications/cancelled"), 0U)
      << "the server does not know the call";
}

TEST_F(CancelledCall, is_not_sent_again_in_a_new_session) {
  connect_with(8);
  const mcp::CallKey call = begin("slow");
  ASSERT_TRUE(loop.until([&] { return slow.size() == 1; }));
  EXPECT_TRUE(cancel(call));
  slow.front().respond(json_body("{}", 404));
  ASSERT_TRUE(loop.until([&] { return outcomes.size() == 1; }));
  EXPECT_FALSE(outcomes.front().has_value());
  loop.until_quiet([] { return false; });
  EXPECT_EQ(server.http.count("slow"), 1U);
}

TEST_F(CancelledCall, ends_if_no_answer_comes) {
  connect_with(8);
  mcp::CallOptions options = client->prepare("slow", json::Value());
  options.idle_timeout = std::chrono::milliseconds(200);
  const mcp::CallKey call = client->request(
      std::move(options), {.done = [&](CallResult done) { outcomes.push_back(std::move(done)); }});
  ASSERT_TRUE(loop.until([&] { return slow.size() == 1; }));
  EXPECT_TRUE(cancel(call));
  ASSERT_TRUE(loop.until([&] { return outcomes.size() == 1; }));
  ASSERT_FALSE(outcomes.front().has_value());
  EXPECT_EQ(outcomes.front().error().error.code, ErrorCode::cancelled);
  loop.until_quiet([] { return false; });
  EXPECT_EQ(server.http.count("notifications/cancelled"), 1U);
}

}  // namespace
}  // namespace enfold::client
