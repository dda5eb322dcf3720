// SPDX-License-Identifier: Apache-2.0
// What waits for what in a server with its real threads: handlers that never return keep nothing
// from others. Latches in place of sleeps.
#include "enfold/serve/connection.h"
#include "enfold/serve/loop_host.h"
#include "enfold/server/detail/dispatch.h"
#include "tests/net/running_loop.h"
#include "tests/server/talk.h"

#include <latch>
#include <thread>

namespace enfold::server {
namespace {

// A server with the threads of a real one, and one client.
class BusyServer : public testing::Test, private serve::Sink {
 protected:
  void open() {
    server.settings().log = [](const serve::LogLine&) {};
    host = std::make_unique<serve::LoopHost>(*loop, server.settings().workers,
                                             server.settings().max_waiting);
    serve::Workers& workers = host->workers();
    dispatcher = std::move(*Dispatcher::create(
        server, *host, [&workers](std::size_t count) { workers.allow(count); }));
    connection = serve::Connection::open(*dispatcher, *this);
  }
  void TearDown() override {
    let_go();
    connection->detach();
    EXPECT_TRUE(host->workers().is_idle_within(std::chrono::seconds(20)));
    loop.settle();
  }
  void let_go() {
    if (!release.try_wait()) release.count_down();
  }
  std::int64_t start(const std::string& method, const std::string& params) {
    connection->receive_bytes(json::Buffer(
        fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{{{},"_meta":{}}}}})",
                    ++last, method, params, stateless_meta())));
    return last;
  }
  std::int64_t call(const std::string& tool) {
    return start("tools/call", R"("name":")" + tool + '"');
  }
  json::Value answer_to(std::int64_t id) {
    for (const json::Value& message : heard) {
      if (message->find("id") && message->find("id")->integer() == id) return message;
    }
    return {};
  }
  bool is_answered(std::int64_t id) { return !answer_to(id)->is_null(); }
  void send(mcp::Send send) override { heard.push_back(json::parse_own(send.message.str())); }
  void close_stream(mcp::CallKey /*call*/) override {}

  net::RunningLoop loop;
  Server server{"shop", "1"};
  std::unique_ptr<serve::LoopHost> host;
  std::unique_ptr<Dispatcher> dispatcher;
  std::shared_ptr<serve::Connection> connection;
  std::vector<json::Value> heard;
  std::int64_t last = 0;
  std::latch release{1};
  std::atomic<int> importing = 0;
};

TEST_F(BusyServer, answers_other_tools_while_every_import_runs_or_waits) {
  server
      .tool("import", "Imports",
            [this] {
              ++importing;
              release.wait();
              return Text{"done"};
            })
      .slow();
  server.tool("get_book", "One book, from a database", [] { return Text{"Dune"}; }).slow();
  server.tool("quick", "At once", [] { return Text{"Emma"}; });
  server.resource("shop://about", "About", [] { return "Books"; });
  server.tool("later", "Later", [](Reply<Text> reply) {
    std::thread([reply = std::move(reply)] { reply.finish(Text{"Ulysses"}); }).detach();
  });
  open();
  std::vector<std::int64_t> imports;
  for (int i = 0; i < 8; ++i) imports.push_back(call("import"));
  ASSERT_TRUE(loop.until([&] { return importing == 4; })) << "Settings::workers";
  for (const std::int64_t id : {call("get_book"), call("quick"), call("later"),
                                start("resources/read", R"("uri":"shop://about")")}) {
    EXPECT_TRUE(loop.until([&] { return is_answered(id); })) << id;
  }
  for (const std::int64_t id : imports) EXPECT_FALSE(is_answered(id));
  EXPECT_EQ(importing, 4);
  let_go();
  for (const std::int64_t id : imports) {
    EXPECT_TRUE(loop.until([&] { return is_answered(id); })) << id;
  }
}

TEST_F(BusyServer, stores_a_kept_answer_while_every_handler_is_stuck) {
  server
      .tool("report", "Writes a long report",
            [this](Context& context) {
              context.keep(Text{std::string(300'000, 'x')});
              ++importing;
              release.wait();
              return Text{"done"};
            })
      .slow(std::chrono::seconds(1))
      .max_concurrent(1);
  server.resource("shop://stuck", "Stuck", [this] {
    ++importing;
    release.wait();
    return "at last";
  });
  open();
  for (int i = 0; i < 8; ++i) start("resources/read", R"("uri":"shop://stuck")");
  const std::int64_t report = call("report");
  ASSERT_TRUE(loop.until([&] { return importing == 5; })) << "four resources and the report";
  loop->advance(std::chrono::seconds(1));
  ASSERT_TRUE(loop.until([&] { return is_answered(report); }));
  const std::string answer = json::to_text(answer_to(report).view());
  EXPECT_NE(answer.find("PARTIAL_FAILURE"), std::string::npos);
  EXPECT_NE(answer.find("enfold_fetch"), std::string::npos);
}

}  // namespace
}  // namespace enfold::server
