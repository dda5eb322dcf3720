// SPDX-License-Identifier: Apache-2.0
// HTTP servers with and without manners: greeting, sessions, streams that break, refusals.
#include "tests/client/over_http.h"

#include <gmock/gmock.h>

namespace enfold::client {
namespace {

using ::testing::HasSubstr;
using Eras = ClientOptions::Eras;
using Seen = ScriptedHttp::Seen;

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

TEST(HttpClientSide, a_notification_without_a_session_holds_nothing_back) {
  net::RunningLoop loop;
  std::vector<net::Responder> held;
  ScriptedHttp server(*loop, [&](const Seen& seen, net::Responder responder) {
    if (says(seen, "notifications/")) return held.push_back(std::move(responder));
    responder.respond(json_body(says(seen, "server/discover")
                                    ? discovered(id_of(seen))
                                    : result(id_of(seen), R"("resultType":"complete")")));
  });
  Client client(*loop, server.target(), impatient(Eras::stateless));
  std::optional<Result<mcp::ServerIdentity>> greeted;
  client.connect([&](Result<mcp::ServerIdentity> said) { greeted = std::move(said); });
  ASSERT_TRUE(loop.until([&] { return greeted.has_value(); }));
  ASSERT_TRUE(greeted->has_value()) << greeted->error().message;
  client.notify("notifications/progress", json::parse_own(R"({"progress":1})").view());
  std::optional<CallResult> outcome;
  client.request(client.prepare("tools/list"),
                 {.done = [&](CallResult done) { outcome = std::move(done); }});
  ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
  EXPECT_TRUE(outcome->has_value());
  EXPECT_EQ(held.size(), 1U);
}

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

TEST_F(OverHttp, messages_of_the_server_come_on_a_stream_of_their_own) {
  std::vector<net::BodyWriter> held;
  server.rest = [&](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET") held.push_back(responder.stream(event_stream(": here\n\n")));
  };
  std::vector<mcp::ListKind> changed;
  client = std::make_unique<Client>(
      *loop, server.http.target(), impatient(),
      on<mcp::ListChanged>([&](const mcp::ListChanged& one) { changed.push_back(one.kind); }));
  client->connect([](const Result<mcp::ServerIdentity>&) {});
  ASSERT_TRUE(loop.until([&] { return !held.empty(); }));
  held[0].write("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n");
  EXPECT_TRUE(loop.until([&] { return changed.size() == 1; }));
}

TEST_F(OverHttp, the_stream_of_their_own_is_requested_again_after_an_outage) {
  std::size_t streams = 0;
  std::vector<net::Responder> held;
  const auto handle = [&](const Seen& seen, net::Responder responder) {
    if (seen.method != "GET") {
      server.handle(seen, std::move(responder));
    } else if (++streams == 2) {
      held.push_back(std::move(responder));
    } else {
      responder.respond(event_stream(": here\n\n"));
    }
  };
  const auto wait_for = [&](std::size_t count) {
    return loop.until([&] {
      loop->advance(std::chrono::milliseconds(50));
      return streams == count;
    });
  };
  auto http = std::make_unique<ScriptedHttp>(*loop, handle);
  const HttpTarget target = http->target();
  connect(impatient(), target);
  ASSERT_TRUE(wait_for(2));
  http.reset();  // the second request gets no response
  http = std::make_unique<ScriptedHttp>(*loop, handle, target.url.port);
  EXPECT_TRUE(wait_for(3));
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
  options.startup_timeout = std::chrono::milliseconds(200);
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
  options.idle_timeout = std::chrono::milliseconds(200);
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
  again.may_retry = true;
  std::optional<ToolOutcome> outcome;
  call_tool(*client, std::move(again),
            {.done = [&](ToolOutcome done) { outcome = std::move(done); }});
  ASSERT_TRUE(loop.until([&] { return outcome.has_value(); }));
  ASSERT_TRUE(outcome->has_value()) << outcome->error().error.message;
  EXPECT_EQ((*outcome)->attempts, 2U);
}

TEST_F(OverHttp, a_time_that_no_clock_can_count_is_not_read) {
  ScriptedHttp http(*loop, [&](const Seen& seen, net::Responder responder) {
    net::HttpResponse busy = json_body(discovered(id_of(seen)));
    if (!says(seen, "server/discover")) {
      busy = json_body("{}", 503);
      busy.headers.add("Retry-After", "9223372036854775807");
    }
    responder.respond(std::move(busy));
  });
  connect(impatient(), http.target());
  const CallResult outcome = request("tools/list");
  ASSERT_FALSE(outcome.has_value());
  EXPECT_FALSE(outcome.error().retry_after.has_value());
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
