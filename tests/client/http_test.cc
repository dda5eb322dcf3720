// SPDX-License-Identifier: Apache-2.0
// HTTP servers with and without manners: greeting, sessions, streams that break, refusals.
#include "tests/client/peers.h"

#include <gmock/gmock.h>

namespace enfold::client {
namespace {

using ::testing::HasSubstr;
using Eras = ClientOptions::Eras;
using Seen = ScriptedHttp::Seen;

bool says(const Seen& seen, std::string_view text) {
  return seen.body.find(text) != std::string::npos;
}

/// Greets in a session and leaves the rest to the test.
struct SessionServer {
  explicit SessionServer(net::Loop& loop)
      : http(loop,
             [this](const Seen& seen, auto responder) { handle(seen, std::move(responder)); }) {}

  void handle(const Seen& seen, net::Responder responder) {
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
  ScriptedHttp::Handler rest = [](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET") {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else {
      responder.respond(json_body(result(id_of(seen), R"("ok":true)")));
    }
  };
  ScriptedHttp http;
};

ClientOptions impatient(Eras eras = Eras::both) {
  ClientOptions options;
  options.eras = eras;
  options.greeting_patience = std::chrono::seconds(2);
  options.patience = std::chrono::seconds(5);
  return options;
}

TEST(HttpClientSide, falls_back_to_a_session_and_ends_it) {
  net::RunningLoop loop;
  SessionServer server(*loop);
  auto client = std::make_unique<Client>(*loop, server.http.target(), impatient());
  std::optional<Result<mcp::ServerIdentity>> greeted;
  client->connect([&](Result<mcp::ServerIdentity> said) { greeted = std::move(said); });
  ASSERT_TRUE(loop.until([&] { return greeted.has_value(); }));
  ASSERT_TRUE(greeted->has_value()) << greeted->error().message;
  EXPECT_EQ((*greeted)->era, mcp::Era::sessions);
  std::optional<CallResult> outcome;
  client->request(client->prepare("tools/list"),
                  {.done = [&](CallResult done) { outcome = std::move(done); }});
  ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
  EXPECT_TRUE(outcome->has_value());
  // What was said, in order: nothing overtakes the end of the greeting.
  const auto& seen = server.http.seen();
  ASSERT_GE(seen.size(), 4U);
  EXPECT_TRUE(says(seen[0], "server/discover"));
  EXPECT_TRUE(says(seen[1], "initialize"));
  EXPECT_TRUE(says(seen[2], "notifications/initialized"));
  EXPECT_EQ(seen[2].header("MCP-Session-Id"), "s-1");
  EXPECT_EQ(seen[3].header("MCP-Protocol-Version"), "2025-11-25");
  bool closed = false;
  client->close([&] { closed = true; });
  ASSERT_TRUE(loop.until([&] { return closed; }));
  EXPECT_EQ(server.ended, 1);
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

TEST_F(OverHttp, a_broken_stream_is_taken_up_where_it_broke) {
  std::vector<net::BodyWriter> held;
  server.rest = [&](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET" && seen.header("Last-Event-ID") == "e-1") {
      responder.respond(event_stream("id: e-2\ndata: " + result(3, R"("ok":true)") + "\n\n"));
    } else if (seen.method == "GET") {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else {
      responder.respond(event_stream("id: e-1\nretry: 1\ndata: \n\n"));
    }
  };
  connect();
  ASSERT_TRUE(greeted.has_value()) << greeted.error().message;
  const CallResult outcome = request("tools/list");
  ASSERT_TRUE(outcome.has_value()) << outcome.error().error.message;
}

TEST_F(OverHttp, a_stream_that_brings_nothing_is_given_up) {
  server.rest = [&](const Seen& seen, net::Responder responder) {
    const bool standalone = seen.method == "GET" && seen.header("Last-Event-ID").empty();
    if (standalone) {
      responder.respond({.status = 405, .headers = {}, .body = {}});
    } else if (seen.method == "GET") {
      responder.respond(event_stream(": nothing\n\n"));
    } else {
      responder.respond(event_stream("id: e-1\nretry: 1\ndata: \n\n"));
    }
  };
  ClientOptions options = impatient();
  options.max_resumes = 3;
  connect(options);
  const CallResult outcome = request("tools/list");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::unavailable);
}

TEST_F(OverHttp, a_session_that_was_forgotten_is_opened_again_for_the_call) {
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

TEST_F(OverHttp, a_session_that_was_forgotten_is_opened_again_for_all_its_calls) {
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

TEST_F(OverHttp, a_call_of_a_forgotten_session_may_still_be_answered) {
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

TEST_F(OverHttp, a_call_that_was_accepted_is_not_sent_again) {
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

TEST_F(OverHttp, messages_of_the_server_come_on_a_stream_of_their_own) {
  std::vector<net::BodyWriter> held;
  server.rest = [&](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET") held.push_back(responder.stream(event_stream(": here\n\n")));
  };
  std::vector<mcp::ListKind> changed;
  ClientEvents events;
  events.on_list_changed = [&](const mcp::ListChanged& one) { changed.push_back(one.kind); };
  client = std::make_unique<Client>(*loop, server.http.target(), impatient(), std::move(events));
  client->connect([](const Result<mcp::ServerIdentity>&) {});
  ASSERT_TRUE(loop.until([&] { return !held.empty(); }));
  held[0].write("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n");
  EXPECT_TRUE(loop.until([&] { return changed.size() == 1; }));
}

TEST_F(OverHttp, what_stands_at_the_address_is_said) {
  struct Case {
    std::string name;
    net::HttpResponse response;
    ErrorCode code;
    std::string want;
  };
  net::HttpResponse page{.status = 200, .headers = {}, .body = "<html>"};
  page.headers.add("Content-Type", "text/html");
  net::HttpResponse moved{.status = 308, .headers = {}, .body = {}};
  moved.headers.add("Location", "http://elsewhere/mcp");
  std::vector<Case> cases;
  cases.push_back({"a web page", std::move(page), ErrorCode::protocol_violation, "/mcp"});
  cases.push_back(
      {"a closed door", json_body("{}", 401), ErrorCode::unauthorized, "Authorization: Bearer"});
  cases.push_back({"a sign", std::move(moved), ErrorCode::unavailable, "http://elsewhere/mcp"});
  cases.push_back({"nothing", json_body("{}", 404), ErrorCode::unavailable, "/mcp"});
  cases.push_back({"a crash", json_body("{}", 500), ErrorCode::unavailable, ""});
  for (Case& one : cases) {
    SCOPED_TRACE(one.name);
    const auto response = std::make_shared<Case*>(&one);
    ScriptedHttp http(*loop, [&](const Seen&, net::Responder responder) {
      net::HttpResponse copy{.status = one.response.status,
                             .headers = one.response.headers,
                             .body = one.response.body};
      responder.respond(std::move(copy));
    });
    connect(impatient(), http.target());
    ASSERT_FALSE(greeted.has_value());
    EXPECT_EQ(greeted.error().code, one.code) << greeted.error().message;
    EXPECT_THAT(greeted.error().hint, HasSubstr(one.want));
    EXPECT_THAT(greeted.error().where, HasSubstr("http://127.0.0.1:"));
    client.reset();
  }
}

TEST_F(OverHttp, silence_is_an_outage) {
  std::vector<net::Responder> held;
  ScriptedHttp http(
      *loop, [&](const Seen&, net::Responder responder) { held.push_back(std::move(responder)); });
  ClientOptions options = impatient();
  options.greeting_patience = std::chrono::milliseconds(200);
  connect(options, http.target());
  ASSERT_FALSE(greeted.has_value());
  EXPECT_EQ(greeted.error().code, ErrorCode::timed_out);
  EXPECT_EQ(http.count("initialize"), 0U);
}

TEST_F(OverHttp, a_slow_call_is_cancelled_by_closing_its_stream) {
  std::vector<net::BodyWriter> held;
  bool gone = false;
  ScriptedHttp http(*loop, [&](const Seen& seen, net::Responder responder) {
    if (says(seen, "server/discover")) {
      responder.respond(json_body(discovered(id_of(seen))));
      return;
    }
    held.push_back(responder.stream(event_stream(": working\n\n")));
    held.back().on_close([&] { gone = true; });
  });
  ClientOptions options = impatient();
  options.patience = std::chrono::milliseconds(200);
  connect(options, http.target());
  ASSERT_TRUE(greeted.has_value()) << greeted.error().message;
  const CallResult outcome = request("tools/call", R"({"name":"slow"})");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().error.code, ErrorCode::timed_out);
  EXPECT_THAT(outcome.error().error.where, HasSubstr("tools/call slow"));
  EXPECT_TRUE(loop.until([&] { return gone; }));
}

TEST_F(OverHttp, headers_of_the_user_and_of_the_tool_go_along) {
  ScriptedHttp http(*loop, [&](const Seen& seen, net::Responder responder) {
    if (says(seen, "server/discover")) {
      responder.respond(json_body(discovered(id_of(seen))));
    } else if (says(seen, "tools/list")) {
      responder.respond(json_body(result(
          id_of(seen), R"("resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[)"
                       R"({"name":"q","inputSchema":{"type":"object","properties":)"
                       R"({"region":{"type":"string","x-mcp-header":"Region"}}}},)"
                       R"({"name":"broken","inputSchema":{"type":"object","properties":)"
                       R"({"r":{"type":"array","x-mcp-header":"R"}}}}])")));
    } else {
      responder.respond(json_body(result(id_of(seen), R"("resultType":"complete","content":[])")));
    }
  });
  HttpTarget target = http.target();
  target.headers.push_back({"Authorization", "Bearer t"});
  connect(impatient(), std::move(target));
  ASSERT_TRUE(greeted.has_value()) << greeted.error().message;
  std::optional<tl::expected<Toolbox, CallFailure>> tools;
  list_tools(*client, [&](auto done) { tools = std::move(done); });
  ASSERT_TRUE(loop.until([&] { return tools.has_value(); }));
  ASSERT_TRUE(tools->has_value());
  EXPECT_THAT((*tools)->names(), ::testing::ElementsAre("q"));
  ASSERT_EQ((*tools)->unusable.size(), 1U);
  std::optional<ToolOutcome> outcome;
  call_tool(*client, request_for((*tools)->tools[0], json::parse_own(R"({"region":"eu"})")),
            {.done = [&](ToolOutcome done) { outcome = std::move(done); }});
  ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
  const Seen& last = http.seen().back();
  EXPECT_EQ(last.header("Authorization"), "Bearer t");
  EXPECT_EQ(last.header("Mcp-Param-Region"), "eu");
  EXPECT_EQ(last.header("Mcp-Name"), "q");
  EXPECT_EQ(last.header("Mcp-Method"), "tools/call");
}

TEST_F(OverHttp, a_busy_server_is_asked_again_after_the_time_it_names) {
  int calls = 0;
  ScriptedHttp http(*loop, [&](const Seen& seen, net::Responder responder) {
    if (says(seen, "server/discover")) {
      responder.respond(json_body(discovered(id_of(seen))));
    } else if (++calls == 1) {
      net::HttpResponse busy = json_body("{}", 429);
      busy.headers.add("Retry-After", "0");
      responder.respond(std::move(busy));
    } else {
      responder.respond(json_body(result(id_of(seen), R"("resultType":"complete","content":[])")));
    }
  });
  connect(impatient(), http.target());
  ToolRequest again;
  again.name = "t";
  again.is_safe_to_repeat = true;
  std::optional<ToolOutcome> outcome;
  call_tool(*client, std::move(again),
            {.done = [&](ToolOutcome done) { outcome = std::move(done); }});
  ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
  ASSERT_TRUE(outcome->has_value()) << outcome->error().error.message;
  EXPECT_EQ((*outcome)->attempts, 2U);
}

TEST_F(OverHttp, an_answer_beyond_the_limit_is_not_kept) {
  ScriptedHttp http(*loop, [&](const Seen& seen, net::Responder responder) {
    responder.respond(json_body(says(seen, "server/discover") ? discovered(id_of(seen))
                                                              : std::string(100'000, 'x')));
  });
  ClientOptions options = impatient();
  options.limits.max_bytes = 10'000;
  connect(options, http.target());
  EXPECT_EQ(request("tools/list").error().error.code, ErrorCode::limit_exceeded);
}

TEST_F(OverHttp, many_clients_share_a_loop) {
  std::vector<std::unique_ptr<Client>> clients;
  std::size_t done = 0;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<Client>(*loop, server.http.target(), impatient()));
    clients.back()->connect([](const Result<mcp::ServerIdentity>&) {});
    clients.back()->request(
        clients.back()->prepare("tools/list"),
        {.done = [&](const CallResult& result) { done += result.has_value() ? 1U : 0U; }});
  }
  EXPECT_TRUE(loop.until([&] { return done == clients.size(); }));
  EXPECT_EQ(server.sessions, 20);
}

}  // namespace
}  // namespace enfold::client
