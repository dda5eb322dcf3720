// SPDX-License-Identifier: Apache-2.0
// A server over lines: order, the end of input, and a service that is slow to greet.
#include "enfold/serve/stdio.h"

#include "tests/net/running_loop.h"
#include "tests/server/book.h"
#include "tests/server/talk.h"

#include <atomic>

namespace enfold::server {
namespace {

using net::RawPeer;
using net::RunningLoop;

/// Takes its time to find out what it serves.
class SlowToGreet final : public serve::Service {
 public:
  explicit SlowToGreet(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}
  [[nodiscard]] const std::shared_ptr<const mcp::ServerConfig>& config() const override {
    return dispatcher_.config();
  }
  [[nodiscard]] const Settings& settings() const override { return dispatcher_.settings(); }
  [[nodiscard]] serve::Host& host() const override { return dispatcher_.host(); }
  [[nodiscard]] std::shared_ptr<serve::OpenCall> begin(
      mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& port) override {
    return dispatcher_.begin(std::move(call), port);
  }
  void on_first_message(std::string_view /*first_message*/, OnStarted done) override {
    greeted = std::move(done);
  }

  OnStarted greeted;

 private:
  Dispatcher& dispatcher_;
};

class ServerOverLines : public testing::Test {
 protected:
  void open(Server offered, bool greets_slowly = false) {
    offered.settings().log = [](const serve::LogLine&) {};
    server = std::make_unique<Server>(std::move(offered));
    dispatcher = std::move(*Dispatcher::create(*server, host));
    slow = std::make_unique<SlowToGreet>(*dispatcher);
    serve::Service& service = greets_slowly ? static_cast<serve::Service&>(*slow) : *dispatcher;
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()), 0);
    peer = std::make_unique<RawPeer>(ends[1]);
    auto opened = serve::StdioServer::open(service, *loop, net::FileDescriptor(::dup(ends[0])),
                                           net::FileDescriptor(ends[0]), [this] { ended = true; });
    ASSERT_TRUE(opened.has_value());
    stdio = std::move(*opened);
  }
  /// A server with a tool that runs until `may_answer`.
  Server patient() {
    Server offered = book_server();
    offered
        .tool("waits", "Waits until it may answer",
              [this](const NoArguments&, Context& context) {
                while (!may_answer && !context.is_cancelled()) std::this_thread::yield();
                return Text{"at last"};
              })
        .slow(std::chrono::minutes(1));
    return offered;
  }
  static std::string call(int id, const char* tool, const char* arguments = R"({"title":"x"})") {
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}",)"
                       R"("arguments":{},"_meta":{}}}}})"
                       "\n",
                       id, tool, arguments, stateless_meta());
  }
  static std::string hello(const std::string& capabilities = "{}") {
    return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":)"
           R"("2025-11-25","capabilities":)" +
           capabilities +
           R"(,"clientInfo":{"name":"t","version":"1"}}})"
           "\n"
           R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
           "\n";
  }

  RunningLoop loop;
  serve::LoopHost host{*loop, 1, 16};
  std::unique_ptr<Server> server;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<SlowToGreet> slow;
  std::unique_ptr<serve::StdioServer> stdio;
  std::unique_ptr<RawPeer> peer;
  std::atomic<bool> may_answer = false;
  bool ended = false;
};

TEST_F(ServerOverLines, answers_in_order_of_completion_and_ends_after_the_last_answer) {
  open(book_server());
  peer->send("noise\n" + call(1, "slow_look_up") + call(2, "look_up"));
  peer->stop_sending();
  ASSERT_TRUE(loop.until([&] { return ended; }));
  EXPECT_TRUE(peer->has("-32700"));
  EXPECT_TRUE(peer->has(R"("id":1,)"));
  EXPECT_LT(peer->received().find(R"("id":2,)"), peer->received().find(R"("id":1,)"));
}

// The lines arrive together, so no other work of the loop comes between the calls.
TEST_F(ServerOverLines, offers_what_a_handler_has_added_to_the_next_call) {
  Server offered = book_server();
  offered.tool("open_sale", "Adds a tool", [](Context& context) {
    context.offers().tool("sale", "A sale", [] { return Text{"on sale"}; });
    return Text{"open"};
  });
  offered.tool("close_sale", "Removes it", [](Context& context) {
    return Text{context.offers().remove_tool("sale") ? "closed" : "none"};
  });
  open(std::move(offered));
  peer->send(hello() + call(1, "open_sale", "{}") + call(2, "sale", "{}") +
             call(3, "close_sale", "{}") + call(4, "sale", "{}"));
  peer->stop_sending();
  ASSERT_TRUE(loop.until([&] { return ended; }));
  EXPECT_TRUE(peer->has("on sale")) << peer->received();
  EXPECT_TRUE(peer->has("closed"));
  EXPECT_TRUE(peer->has(R"("id":4,"error":{"code":-32602,"message":"Unknown tool: \"sale\"")"))
      << peer->received();
  // Clients are told of a change before they get the answer of the handler that made it.
  EXPECT_LT(peer->received().find("tools/list_changed"), peer->received().find(R"("id":1,)"));
}

TEST_F(ServerOverLines, answers_a_request_that_is_too_long_wherever_its_id_is) {
  open(book_server());
  const std::string params = R"("params":{"name":"look_up","arguments":{"title":")" +
                             std::string(serve::kMaxRequestBytes, 'x') + R"("}})";
  const std::string lines = R"({"jsonrpc":"2.0","id":7,"method":"tools/call",)" + params + "}\n" +
                            R"({"method":"tools/call",)" + params +
                            R"(,"jsonrpc":"2.0","id":"last"})" + "\n" + call(9, "look_up");
  std::size_t sent = 0;
  ASSERT_TRUE(loop.until([&] {
    sent += peer->send(std::string_view(lines).substr(sent));
    return sent == lines.size();
  }));
  ASSERT_TRUE(loop.until([&] { return peer->has(R"("id":9,)"); }));
  EXPECT_TRUE(peer->has(R"("id":7,"error":{"code":-32600,"message":"The request is longer than )"));
  EXPECT_TRUE(peer->has(R"("id":"last","error":{"code":-32600)"))
      << peer->received().substr(0, 500);
}

TEST_F(ServerOverLines, takes_a_last_line_without_its_end_if_it_is_a_message) {
  for (const std::size_t cut : {1U, 2U}) {
    open(book_server());
    const std::string last = call(2, "look_up");
    peer->send(call(1, "look_up") + last.substr(0, last.size() - cut));
    peer->stop_sending();
    ASSERT_TRUE(loop.until([&] { return std::exchange(ended, false); }));
    EXPECT_TRUE(peer->has(R"("id":1,)"));
    EXPECT_EQ(peer->has(R"("id":2,)"), cut == 1);
    stdio.reset();
  }
}

TEST_F(ServerOverLines, answers_what_is_open_however_long_it_takes_after_the_end_of_input) {
  open(patient());
  peer->send(call(1, "waits", "{}"));
  peer->stop_sending();
  ASSERT_TRUE(loop.until([&] { return dispatcher->running() == 1; }));
  loop.settle();
  loop->advance(std::chrono::seconds(25));
  loop.settle();
  EXPECT_FALSE(ended);
  may_answer = true;
  ASSERT_TRUE(loop.until([&] { return ended; }));
  EXPECT_TRUE(peer->has("at last"));
}

TEST_F(ServerOverLines, ends_at_once_when_it_is_told_to_after_the_end_of_input) {
  open(patient());
  peer->send(call(1, "waits", "{}"));
  peer->stop_sending();
  ASSERT_TRUE(loop.until([&] { return dispatcher->running() == 1 && !stdio->is_serving(); }));
  stdio->drain();
  EXPECT_TRUE(ended);
  stdio.reset();
  EXPECT_TRUE(host.workers().is_idle_within(std::chrono::seconds(10)));
}

TEST_F(ServerOverLines, notices_the_end_of_input_while_the_service_greets) {
  open(book_server(), true);
  peer->send(hello());
  ASSERT_TRUE(loop.until([&] { return bool(slow->greeted); }));
  peer->stop_sending();
  loop.settle();
  loop->advance(std::chrono::seconds(11));
  EXPECT_TRUE(loop.until([&] { return ended; }));
}

TEST_F(ServerOverLines, answers_what_was_piped_in_before_the_service_had_greeted) {
  open(book_server(), true);
  peer->send(hello() + call(1, "look_up"));
  ASSERT_TRUE(loop.until([&] { return bool(slow->greeted); }));
  peer->stop_sending();
  loop.settle();
  loop->advance(std::chrono::seconds(25));
  loop.settle();
  EXPECT_FALSE(ended);
  slow->greeted(std::nullopt);
  ASSERT_TRUE(loop.until([&] { return ended; }));
  EXPECT_TRUE(peer->has(R"("id":1,)"));
}

TEST_F(ServerOverLines, answers_a_single_call_that_was_piped_in_before_the_service_had_greeted) {
  open(book_server(), true);
  peer->send(call(1, "look_up"));
  ASSERT_TRUE(loop.until([&] { return bool(slow->greeted); }));
  peer->stop_sending();
  loop.settle();
  loop->advance(std::chrono::seconds(25));
  loop.settle();
  EXPECT_FALSE(ended);
  slow->greeted(std::nullopt);
  ASSERT_TRUE(loop.until([&] { return ended; }));
  EXPECT_TRUE(peer->has(R"("id":1,)"));
}

TEST_F(ServerOverLines, ends_a_subscription_that_was_piped_in_before_the_service_had_greeted) {
  const std::string listen =
      R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":)"
      R"({"toolsListChanged":true},"_meta":)" +
      stateless_meta() + "}}\n";
  for (const bool greets : {true, false}) {
    SCOPED_TRACE(greets);
    open(book_server(), true);
    peer->send(listen);
    ASSERT_TRUE(loop.until([&] { return bool(slow->greeted); }));
    peer->stop_sending();
    loop.settle();
    greets ? slow->greeted(std::nullopt) : loop->advance(std::chrono::seconds(11));
    ASSERT_TRUE(loop.until([&] { return std::exchange(ended, false); }));
    EXPECT_EQ(peer->has(R"("id":1,)"), greets);
    stdio.reset();
  }
}

TEST_F(ServerOverLines, answers_a_call_beside_one_with_two_questions_that_nobody_can_answer) {
  Server offered = patient();
  offered.tool("ask", "Asks twice", [](const NoArguments&) -> Answer<Text> {
    return NeedsInput{{mcp::ask_roots("one"), mcp::ask_roots("two")}, {}};
  });
  open(std::move(offered));
  peer->send(hello(R"({"roots":{}})") +
             R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}})"
             "\n");
  ASSERT_TRUE(loop.until([&] { return peer->has("roots/list"); }));
  peer->send(call(1, "waits", "{}"));
  peer->stop_sending();
  ASSERT_TRUE(loop.until([&] { return dispatcher->running() == 1 && !stdio->is_serving(); }));
  loop->advance(std::chrono::seconds(11));
  loop.settle();
  EXPECT_FALSE(ended);
  may_answer = true;
  ASSERT_TRUE(loop.until([&] { return peer->has("at last"); }));
  loop->advance(std::chrono::seconds(11));
  EXPECT_TRUE(loop.until([&] { return ended; })) << "the questions are left";
}

TEST_F(ServerOverLines, gives_up_on_a_question_that_nobody_can_answer_any_more) {
  Server asks("asks", "1");
  asks.tool("ask", "Asks", [](const NoArguments&) -> Answer<Text> {
    return NeedsInput{{mcp::ask_roots("roots")}, {}};
  });
  open(std::move(asks));
  peer->send(hello(R"({"roots":{}})") +
             R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}})"
             "\n");
  ASSERT_TRUE(loop.until([&] { return peer->has("roots/list"); }));
  peer->stop_sending();
  loop.settle();
  EXPECT_FALSE(ended);
  loop->advance(std::chrono::seconds(11));
  EXPECT_TRUE(loop.until([&] { return ended; }));
}

}  // namespace
}  // namespace enfold::server
