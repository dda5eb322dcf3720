// SPDX-License-Identifier: Apache-2.0
// The same server over sockets: Streamable HTTP in both eras.
#include "enfold/serve/http/http.h"
#include "tests/net/running_loop.h"
#include "tests/server/book.h"
#include "tests/server/talk.h"

#include <atomic>
#include <fmt/core.h>

namespace enfold::server {
namespace {

using net::RawPeer;
using net::RunningLoop;

class ServerOverHttp : public testing::Test {
 protected:
  void listen(Settings settings = {}) {
    settings.log = [](const serve::LogLine&) {};
    server = std::make_unique<Server>(book_server(std::move(settings)));
    server->tool("steps", "Reports and answers", [](const NoArguments&, Context& context) {
      context.progress(1, 2);
      return Text{"done"};
    });
    server->tool("who", "Says who calls", [](const NoArguments&, Context& context) {
      return Text{"caller: " + context.principal()};
    });
    server
        ->tool("waits", "Waits until it is cancelled",
               [this](const NoArguments&, Context& context) {
                 started = true;
                 while (!context.is_cancelled()) std::this_thread::yield();
                 cancelled = true;
                 return Text{"gone"};
               })
        .slow();
    server->tool("open_sale", "Adds a tool", [](Context& context) {
      context.offers().tool("sale", "A sale", [] { return Text{"on sale"}; });
      return Text{"open"};
    });
    host = std::make_unique<serve::LoopHost>(*loop, 2, 16);
    dispatcher = std::move(*Dispatcher::create(*server, *host));
    front = std::move(*serve::HttpFront::listen(*dispatcher, *loop, {}));
  }
  void TearDown() override {
    front.reset();
    host.reset();
  }
  std::string post(const std::string& body, const std::string& headers) const {
    return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
           "Accept: application/json, text/event-stream\r\n" +
           headers + fmt::format("Content-Length: {}\r\n\r\n", body.size()) + body;
  }
  std::string stateless(const std::string& tool, const std::string& arguments,
                        const std::string& more = "", const std::string& headers = "") const {
    return post(fmt::format(R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                            R"({{"name":"{}","arguments":{},"_meta":{}}}}})",
                            tool, arguments, stateless_meta(more)),
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + tool +
                    "\r\n" + headers);
  }
  /// The id of a new session.
  std::string open_session() {
    RawPeer peer = RawPeer::to_port(front->port());
    peer.send(post(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
                   R"("2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})",
                   ""));
    EXPECT_TRUE(loop.until([&] { return peer.has("serverInfo"); }));
    const std::string& said = peer.received();
    const std::size_t at = said.find("MCP-Session-Id: ");
    if (at == std::string::npos) return {};
    std::string id = said.substr(at + 16, 32);
    peer.forget();
    peer.send(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session(id)));
    EXPECT_TRUE(loop.until([&] { return peer.has("202"); }));
    return id;
  }
  static std::string session(const std::string& id) { return "MCP-Session-Id: " + id + "\r\n"; }

  RunningLoop loop;
  std::unique_ptr<Server> server;
  std::unique_ptr<serve::LoopHost> host;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<serve::HttpFront> front;
  std::atomic<bool> started = false;
  std::atomic<bool> cancelled = false;
};

TEST_F(ServerOverHttp, answers_a_stateless_call_with_one_json_body) {
  listen();
  RawPeer peer = RawPeer::to_port(front->port());
  for (int i = 0; i < 2; ++i) {  // on one connection
    peer.forget();
    peer.send(stateless("look_up", R"({"title":"Dune"})"));
    ASSERT_TRUE(loop.until([&] { return peer.has(R"("id":"b-1")"); }));
    EXPECT_TRUE(peer.has("HTTP/1.1 200"));
    EXPECT_TRUE(peer.has("Content-Type: application/json"));
    EXPECT_TRUE(peer.has(R"("resultType":"complete")"));
  }
}

TEST_F(ServerOverHttp, knows_callers_by_their_keys_if_the_server_says_whose_they_are) {
  listen();
  const auto answer = [&](const std::string& headers, const std::string& part) {
    RawPeer peer = RawPeer::to_port(front->port());
    peer.send(stateless("who", "{}", "", headers));
    return loop.until([&] { return peer.has(part); });
  };
  EXPECT_TRUE(answer("", "caller: local"));
  server->identify = [](std::optional<std::string_view> key) {
    return key == "key-of-ada" ? std::optional<std::string>("ada") : std::nullopt;
  };
  EXPECT_TRUE(answer("Authorization: Bearer key-of-ada\r\n", "caller: ada"));
  EXPECT_TRUE(answer("Authorization: Bearer key-of-eve\r\n", "HTTP/1.1 401"));
  EXPECT_TRUE(answer("", "HTTP/1.1 401"));
}

TEST_F(ServerOverHttp, offers_what_a_handler_has_added_to_the_next_call) {
  for (int i = 0; i < 50; ++i) {
    listen();
    RawPeer peer = RawPeer::to_port(front->port());
    peer.send(stateless("open_sale", "{}"));
    ASSERT_TRUE(loop.until([&] { return peer.has(R"("open")"); }));
    peer.forget();
    peer.send(stateless("sale", "{}"));
    ASSERT_TRUE(loop.until([&] { return peer.has(R"("id":1)"); }));
    ASSERT_TRUE(peer.has("on sale")) << peer.received();
    TearDown();
  }
}

TEST_F(ServerOverHttp, streams_when_something_comes_before_the_answer) {
  listen();
  RawPeer peer = RawPeer::to_port(front->port());
  peer.send(stateless("steps", "{}", R"("progressToken":"p")"));
  ASSERT_TRUE(loop.until([&] { return peer.has("done"); }));
  EXPECT_TRUE(peer.has("Content-Type: text/event-stream"));
  EXPECT_LT(peer.received().find("notifications/progress"), peer.received().find("done"));
}

TEST_F(ServerOverHttp, cancels_a_stateless_call_whose_client_goes_away) {
  listen();
  RawPeer peer = RawPeer::to_port(front->port());
  peer.send(stateless("waits", "{}"));
  ASSERT_TRUE(loop.until([&] { return started.load(); }));
  peer.close();
  ASSERT_TRUE(loop.until([&] { return cancelled.load() && dispatcher->running() == 0; }));
}

TEST_F(ServerOverHttp, keeps_a_session_until_it_is_ended) {
  listen();
  const std::string id = open_session();
  ASSERT_EQ(id.size(), 32U);
  const std::string call =
      post(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow_look_up",)"
           R"("arguments":{"title":"x"}}})",
           session(id));
  RawPeer peer = RawPeer::to_port(front->port());
  peer.send(call);
  ASSERT_TRUE(loop.until([&] { return peer.has(R"("id":"b-1")"); }));
  EXPECT_TRUE(peer.has("Content-Type: application/json"));  // a worker answered it in time
  peer.forget();
  peer.send("DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n" + session(id) + "\r\n");
  ASSERT_TRUE(loop.until([&] { return peer.has("200"); }));
  EXPECT_EQ(front->sessions(), 0U);
  peer.forget();
  peer.send(call);
  ASSERT_TRUE(loop.until([&] { return peer.has("404"); }));
}

TEST_F(ServerOverHttp, opens_a_stream_that_can_be_resumed_when_an_answer_takes_longer) {
  listen();
  const std::string id = open_session();
  const auto call = [&](int number) {
    return post(
        fmt::format(
            R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"waits"}}}})",
            number),
        session(id));
  };
  RawPeer first = RawPeer::to_port(front->port());
  first.send(call(2));
  ASSERT_TRUE(loop.until([&] { return started.load(); }));
  EXPECT_FALSE(first.has("HTTP/1.1"));
  loop->advance(std::chrono::milliseconds(60));
  RawPeer second = RawPeer::to_port(front->port());
  second.send(call(3));
  loop.settle();
  loop->advance(std::chrono::milliseconds(60));
  EXPECT_TRUE(loop.until([&] { return first.has("text/event-stream") && first.has("id: "); }));
  EXPECT_TRUE(loop.until([&] { return second.has("text/event-stream") && second.has("id: "); }));
}

TEST_F(ServerOverHttp, tells_changes_on_the_standalone_stream) {
  listen();
  const std::string id = open_session();
  RawPeer stream = RawPeer::to_port(front->port());
  const std::string get = "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n" +
                          session(id) + "\r\n";
  stream.send(get);
  ASSERT_TRUE(loop.until([&] { return stream.has("text/event-stream"); }));
  dispatcher->list_changed(mcp::ListKind::tools);
  EXPECT_TRUE(loop.until([&] { return stream.has("notifications/tools/list_changed"); }));
  RawPeer second = RawPeer::to_port(front->port());
  second.send(get);
  EXPECT_TRUE(loop.until([&] { return second.has("409"); }));
}

TEST_F(ServerOverHttp, tells_a_client_that_comes_back_what_it_has_missed) {
  listen();
  const std::string id = open_session();
  const std::string get =
      "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n" + session(id);
  RawPeer stream = RawPeer::to_port(front->port());
  stream.send(get + "\r\n");
  ASSERT_TRUE(loop.until([&] { return stream.has("id: 0-1"); }));
  stream.close();
  // While nobody listens.
  RawPeer other = RawPeer::to_port(front->port());
  ASSERT_TRUE(loop.until([&] {
    other.forget();
    other.send(get + "\r\n");
    loop.until([&] { return other.has("HTTP/1.1"); });
    return !other.has("409");
  }));
  other.close();
  loop.settle();
  dispatcher->list_changed(mcp::ListKind::tools);
  RawPeer again = RawPeer::to_port(front->port());
  again.send(get + "Last-Event-ID: 0-1\r\n\r\n");
  EXPECT_TRUE(loop.until([&] { return again.has("notifications/tools/list_changed"); }));
}

TEST_F(ServerOverHttp, ends_the_stream_of_a_cancelled_call_and_lets_its_session_go) {
  Settings settings;
  settings.session_idle_timeout = std::chrono::seconds(0);
  listen(std::move(settings));
  const std::string id = open_session();
  RawPeer peer = RawPeer::to_port(front->port());
  peer.send(post(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"waits"}})",
                 session(id)));
  ASSERT_TRUE(loop.until([&] { return started.load() && peer.has("text/event-stream"); }));
  RawPeer second = RawPeer::to_port(front->port());
  second.send(
      post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})",
           session(id)));
  EXPECT_TRUE(loop.until([&] { return peer.has("0\r\n\r\n") && cancelled.load(); }));
  EXPECT_FALSE(peer.has(R"("id":2)")) << "nobody answers what was withdrawn";
  loop->advance(std::chrono::seconds(20));
  EXPECT_TRUE(loop.until([&] { return front->sessions() == 0; }));
}

TEST_F(ServerOverHttp, makes_room_for_new_sessions_and_forgets_idle_ones) {
  Settings settings;
  settings.max_sessions = 2;
  settings.session_idle_timeout = std::chrono::seconds(0);
  listen(std::move(settings));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(open_session().size(), 32U);
  EXPECT_EQ(front->sessions(), 2U);
  loop->advance(std::chrono::seconds(20));
  EXPECT_TRUE(loop.until([&] { return front->sessions() == 0; }));
}

TEST_F(ServerOverHttp, evicts_the_session_that_was_not_used_for_the_longest_time) {
  Settings settings;
  settings.max_sessions = 2;
  listen(std::move(settings));
  const std::string first = open_session();
  const std::string second = open_session();
  const auto status_of_call = [&](const std::string& id) {
    RawPeer peer = RawPeer::to_port(front->port());
    peer.send(post(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look_up",)"
                   R"("arguments":{"title":"x"}}})",
                   session(id)));
    EXPECT_TRUE(loop.until([&] { return peer.has("\r\n\r\n"); }));
    return peer.received().substr(9, 3);
  };
  EXPECT_EQ(status_of_call(first), "200");  // answered at once, so it was never busy in between
  EXPECT_EQ(open_session().size(), 32U);
  EXPECT_EQ(status_of_call(second), "404");
  EXPECT_EQ(status_of_call(first), "200");
}

TEST_F(ServerOverHttp, refuses_strangers_and_other_paths) {
  listen();
  struct Case {
    const char* request;
    const char* status;
  };
  for (const Case& one :
       {Case{"POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}", "403"},
        Case{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n"
             "Content-Length: 2\r\n\r\n{}",
             "403"},
        Case{"POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", "404"},
        Case{"PUT /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", "405"},
        Case{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", "415"}}) {
    RawPeer peer = RawPeer::to_port(front->port());
    peer.send(one.request);
    EXPECT_TRUE(loop.until([&] { return peer.has(one.status); })) << one.request;
  }
}

TEST_F(ServerOverHttp, answers_what_it_has_accepted_before_it_ends) {
  listen();
  RawPeer peer = RawPeer::to_port(front->port());
  peer.send(stateless("slow_look_up", R"({"title":"x"})"));
  ASSERT_TRUE(loop.until([&] { return dispatcher->running() == 1 || peer.has("b-1"); }));
  bool drained = false;
  front->drain([&] { drained = true; });
  ASSERT_TRUE(loop.until([&] { return peer.has_ended(); }));
  EXPECT_TRUE(peer.has(R"("id":"b-1")"));
  peer.close();
  EXPECT_TRUE(loop.until([&] { return drained; }));
}

}  // namespace
}  // namespace enfold::server
