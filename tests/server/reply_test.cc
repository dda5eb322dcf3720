// SPDX-License-Identifier: Apache-2.0
// Handlers that answer later: whatever happens to the reply, the client, the session or the server,
// a call is answered once.
#include "enfold/server/testing.h"
#include "tests/server/talk.h"

#include <condition_variable>
#include <gmock/gmock.h>
#include <latch>
#include <thread>

namespace enfold::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Order {
  std::string id;
  static constexpr auto fields() { return server::fields<&Order::id>(); }
};
struct Quote {
  double price = 0;
  std::string text;
  static constexpr auto fields() {
    return server::fields(server::field<&Quote::price>(), server::field<&Quote::text>());
  }
};

// Keeps the replies that its tools got, until the test takes them.
struct Broker {
  std::vector<Reply<Quote>> open;

  Server server(Settings settings = {}) {
    Server made("broker", "1", std::move(settings));
    made.tool("quote", "The price of an order", &Broker::quote, *this).deadline(seconds(5));
    return made;
  }
  void quote(const Order& /*asked*/, Reply<Quote> reply) { open.push_back(std::move(reply)); }
  Reply<Quote> take() {
    Reply<Quote> first = std::move(open.front());
    open.erase(open.begin());
    return first;
  }
};

constexpr const char* kOrder = R"({"id":"o-1"})";

TEST(Reply, is_finished_by_another_thread) {
  Server server("broker", "1");
  std::vector<std::jthread> threads;
  server.tool("quote", "The price", [&threads](const Order& asked, Reply<Quote> reply) {
    threads.emplace_back([asked, reply = std::move(reply)] {
      reply.context().progress(1, 2);
      reply.context().warn("STALE", "The price is of yesterday");
      EXPECT_TRUE(reply.finish(Quote{9.5, "for " + asked.id}));
    });
  });
  Tester tester(std::move(server));
  const TestAnswer answer = tester.call("quote", kOrder);
  EXPECT_EQ(answer.at("/price"), "9.5");
  EXPECT_EQ(answer.at("/text"), R"("for o-1")");
  EXPECT_EQ(answer.schema_problem, "");
  EXPECT_THAT(answer.progress, ElementsAre(1));
  ASSERT_EQ(answer.response.warnings.size(), 1U);
  EXPECT_EQ(answer.response.warnings[0].code, "STALE");
}

TEST(Reply, may_be_finished_before_the_handler_returns) {
  Server server("broker", "1");
  server.tool("now", "At once", [](Reply<Quote> reply) { reply.finish(Quote{1, "now"}); });
  server.tool("context", "With a context", [](Context& context, Reply<Quote> reply) {
    context.say("Good morning");
    reply.finish(Quote{2, context.client()});
  });
  server.tool("both", "With both", [](const Order& asked, Context&, Reply<Quote> reply) {
    reply.finish(Quote{3, asked.id});
  });
  server.tool("worker", "On a worker", [](Reply<Quote> reply) { reply.finish(Quote{4, ""}); })
      .slow();
  Tester tester(std::move(server));
  EXPECT_EQ(tester.call("now").at("/text"), R"("now")");
  EXPECT_EQ(tester.call("context").at("/text"), R"("tester")");
  EXPECT_EQ(tester.call("both", kOrder).at("/text"), R"("o-1")");
  EXPECT_EQ(tester.call("worker").at("/price"), "4");
}

TEST(Reply, ignores_what_is_added_to_its_context_after_the_answer) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t call = tester.start("quote", kOrder);
  const Reply<Quote> reply = broker.take();
  reply.context().warn("BEFORE", "in time");
  reply.finish(Quote{1, "now"});
  // The thread that renders the answer must not see this: TSan checks it.
  for (int i = 0; i < 100; ++i) reply.context().warn("AFTER", "too late");
  reply.context().mark_partial();
  const TestAnswer answer = tester.finish(call);
  EXPECT_EQ(answer.outcome(), model::Outcome::ok);
  EXPECT_TRUE(answer.has_warning("BEFORE"));
  EXPECT_FALSE(answer.has_warning("AFTER"));
}

TEST(Reply, sees_the_deadline_that_passes_while_its_thread_works) {
  Server server("import", "1");
  Tester* clock = nullptr;
  std::vector<std::jthread> threads;
  server
      .tool("import", "Imports",
            [&](Reply<Quote> reply) {
              threads.emplace_back([&clock, reply = std::move(reply)] {
                reply.context().keep(Quote{2, "kept"});
                clock->advance(seconds(6));
                EXPECT_TRUE(reply.context().deadline_passed());
                EXPECT_FALSE(reply.finish(Quote{5, "too late"}));
              });
            })
      .deadline(seconds(5));
  Tester tester(std::move(server));
  clock = &tester;
  for (int i = 0; i < 20; ++i) {
    const TestAnswer answer = tester.call("import");
    ASSERT_EQ(answer.outcome(), model::Outcome::partial);
    EXPECT_EQ(answer.at("/text"), R"("kept")");
  }
  threads.clear();
}

TEST(Reply, takes_a_failure_and_questions_too) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t first = tester.start("quote", kOrder);
  const std::int64_t second = tester.start("quote", kOrder);
  EXPECT_FALSE(tester.is_answered(first));
  EXPECT_TRUE(broker.take().finish(failures::NotFound{"Order", "o-1"}));
  EXPECT_TRUE(broker.take().finish(fail(ErrorCode::internal, "the line is dead")));
  EXPECT_EQ(tester.finish(first).code(), "NOT_FOUND");
  EXPECT_EQ(tester.finish(second).code(), "INTERNAL_ERROR");
  EXPECT_EQ(tester.finish(second).message(), "The tool failed");
}

TEST(Reply, refuses_a_second_answer) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t call = tester.start("quote", kOrder);
  const Reply<Quote> reply = broker.take();
  EXPECT_TRUE(reply.finish(Quote{1, "first"}));
  EXPECT_FALSE(reply.finish(Quote{2, "second"}));
  EXPECT_EQ(tester.finish(call).at("/text"), R"("first")");
}

TEST(Reply, that_threads_race_for_has_one_winner) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t call = tester.start("quote", kOrder);
  const Reply<Quote> reply = broker.take();
  std::atomic<int> won = 0;
  std::latch begin(4);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        begin.arrive_and_wait();
        if (reply.finish(Quote{double(i), ""})) ++won;
      });
    }
  }
  EXPECT_EQ(won, 1);
  EXPECT_TRUE(tester.finish(call).ok());
}

TEST(Reply, that_is_dropped_fails_the_call_and_names_the_tool) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t call = tester.start("quote", kOrder);
  (void)broker.take();
  const TestAnswer answer = tester.finish(call);
  EXPECT_EQ(answer.code(), "INTERNAL_ERROR");
  EXPECT_EQ(answer.message(), "quote ended without an answer");
  EXPECT_THAT(tester.log().at(0), HasSubstr("event=reply_dropped"));
}

TEST(Reply, of_a_handler_that_throws_is_answered_with_the_failure) {
  Server server("broker", "1");
  std::vector<Reply<Quote>> open;
  server.tool("quote", "Throws", [&](Reply<Quote> reply) {
    open.push_back(std::move(reply));
    throw std::runtime_error("no line");
  });
  Tester tester(std::move(server));
  EXPECT_EQ(tester.call("quote").code(), "INTERNAL_ERROR");
  EXPECT_FALSE(open[0].finish(Quote{1, "too late"}));
  EXPECT_EQ(tester.finish(2).code(), "INTERNAL_ERROR");
}

TEST(Reply, is_not_made_for_arguments_that_do_not_fit) {
  Broker broker;
  Tester tester(broker.server());
  EXPECT_EQ(tester.call("quote", R"({"id":7})").code(), "INVALID_FORMAT");
  EXPECT_TRUE(broker.open.empty());
}

TEST(Reply, is_told_to_stop_when_its_client_cancels) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t call = tester.start("quote", kOrder);
  const Reply<Quote> reply = broker.take();
  Context& context = reply.context();
  bool told = false;
  const std::stop_callback on_stop(context.stop_token(), [&told] { told = true; });
  EXPECT_FALSE(context.should_stop());
  tester.cancel(call);
  EXPECT_TRUE(told);
  EXPECT_TRUE(context.is_cancelled());
  EXPECT_FALSE(context.deadline_passed());
  EXPECT_FALSE(reply.finish(Quote{1, "too late"}));
  EXPECT_FALSE(tester.is_answered(call));
  EXPECT_THAT(tester.log().back(), HasSubstr("outcome=cancelled"));
}

TEST(Reply, fails_at_its_deadline) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t call = tester.start("quote", kOrder);
  const Reply<Quote> reply = broker.take();
  tester.advance(milliseconds(4'999));
  EXPECT_FALSE(tester.is_answered(call));
  EXPECT_EQ(reply.context().time_left(), milliseconds(1));
  tester.advance(milliseconds(1));
  EXPECT_TRUE(reply.context().stop_token().stop_requested());
  EXPECT_TRUE(reply.context().deadline_passed());
  EXPECT_FALSE(reply.context().is_cancelled());
  EXPECT_EQ(tester.finish(call).code(), "TIMEOUT");
  EXPECT_FALSE(reply.finish(Quote{1, "too late"}));
  EXPECT_THAT(tester.log().back(), HasSubstr("code=TIMEOUT"));
}

TEST(Reply, gives_what_it_kept_at_its_deadline) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t call = tester.start("quote", kOrder);
  const Reply<Quote> reply = broker.take();
  reply.context().keep(Quote{7, "half of it"});
  tester.advance(seconds(5));
  const TestAnswer answer = tester.finish(call);
  EXPECT_EQ(answer.at("/text"), R"("half of it")");
  EXPECT_FALSE(reply.finish(Quote{8, "all of it"}));
  EXPECT_EQ(answer.response.outcome, model::Outcome::partial);
}

TEST(Reply, that_the_deadline_destroys_gives_what_it_kept_however_large) {
  for (const std::size_t rows : {3U, 20'000U}) {
    Broker broker;
    Tester tester(broker.server());
    const std::int64_t call = tester.start("quote", kOrder);
    std::optional<Reply<Quote>> reply = broker.take();
    std::string text;
    for (std::size_t i = 0; i < rows; ++i) text += "row " + std::to_string(i) + "\n";
    reply->context().keep(Quote{7, text});
    const std::stop_callback on_stop(reply->context().stop_token(), [&reply] { reply.reset(); });
    tester.advance(seconds(5));
    const TestAnswer answer = tester.finish(call);
    EXPECT_EQ(answer.code(), "");
    EXPECT_EQ(answer.response.outcome, model::Outcome::partial);
  }
}

TEST(Reply, may_be_finished_by_the_callback_that_the_deadline_calls) {
  Broker broker;
  Tester tester(broker.server());
  const std::int64_t call = tester.start("quote", kOrder);
  const Reply<Quote> reply = broker.take();
  const std::stop_callback on_stop(reply.context().stop_token(), [&reply] {
    reply.context().mark_partial();
    EXPECT_TRUE(reply.finish(Quote{7, "as far as it came"}));
  });
  tester.advance(seconds(5));
  const TestAnswer answer = tester.finish(call);
  EXPECT_EQ(answer.at("/text"), R"("as far as it came")");
  EXPECT_EQ(answer.response.outcome, model::Outcome::partial);
}

TEST(Reply, outlives_the_server) {
  Broker broker;
  auto tester = std::make_unique<Tester>(broker.server());
  (void)tester->start("quote", kOrder);
  const Reply<Quote> reply = broker.take();
  int told = 0;
  const std::stop_callback on_stop(reply.context().stop_token(), [&told] { ++told; });
  tester.reset();
  EXPECT_EQ(told, 1);
  Context& context = reply.context();
  EXPECT_TRUE(context.is_cancelled());
  EXPECT_EQ(context.time_left(), milliseconds(0));
  EXPECT_FALSE(context.is_enabled("response_contract_v2"));
  context.progress(1);
  context.log(mcp::LogLevel::info, "nobody listens");
  context.keep(Quote{1, "kept"});
  EXPECT_FALSE(reply.finish(Quote{1, "too late"}));
}

TEST(Reply, outlives_a_server_that_other_threads_still_use) {
  Broker broker;
  auto tester = std::make_unique<Tester>(broker.server());
  for (int i = 0; i < 50; ++i) (void)tester->start("quote", kOrder);
  std::vector<Reply<Quote>> replies = std::move(broker.open);
  std::latch begin(3);
  const auto use = [&](std::size_t from) {
    begin.arrive_and_wait();
    for (std::size_t i = from; i < replies.size(); i += 2) {
      replies[i].context().progress(1);
      (void)replies[i].context().time_left();
      if (i % 4 < 2) {
        replies[i].finish(Quote{double(i), "done"});
      } else {
        const Reply<Quote> dropped = std::move(replies[i]);
      }
    }
  };
  std::jthread even([&] { use(0); });
  std::jthread odd([&] { use(1); });
  begin.arrive_and_wait();
  tester.reset();
}

TEST(Reply, outlives_the_client_and_its_session) {
  Broker broker;
  Server server = broker.server();
  Talk talk(server);
  talk.open_session();
  (void)talk.start("tools/call", R"({"name":"quote","arguments":{"id":"o-1"}})");
  const Reply<Quote> reply = broker.take();
  talk.reconnect();
  EXPECT_TRUE(reply.context().is_cancelled());
  reply.context().progress(1);
  EXPECT_FALSE(reply.finish(Quote{1, "nobody reads it"}));
  talk.host.run();
  EXPECT_TRUE(talk.heard.empty());
}

// The envelope, the level, the budget and the archive are those of any tool.
TEST(Reply, is_cut_and_archived_in_both_eras) {
  for (const bool session : {true, false}) {
    Broker broker;
    Server server = broker.server();
    Talk talk(server);
    if (session) talk.open_session();
    const std::int64_t id =
        talk.start("tools/call", R"({"name":"quote","arguments":{"id":"o-1"},"_meta":)" +
                                     (session ? "{}" : stateless_meta()) + "}");
    broker.take().finish(Quote{1, std::string(300'000, 'x')});
    talk.host.run();
    const json::Value answer = talk.answer_to(id);
    EXPECT_LT(answer->raw().size(), 150'000U);
    EXPECT_EQ(at(answer, "/structuredContent/success"), "true");
    EXPECT_THAT(json::to_text(answer.view()), HasSubstr("enfold_fetch"));
  }
}

TEST(Reply, ends_a_task) {
  Broker broker;
  Server server("broker", "1");
  server.tool("quote", "The price", &Broker::quote, broker).task();
  Talk talk(server);
  const std::string meta =
      stateless_meta("", R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})");
  const json::Value handle =
      talk.ask("tools/call", R"({"name":"quote","arguments":{"id":"o-1"},"_meta":)" + meta + "}");
  EXPECT_EQ(at(handle, "/status"), R"("working")");
  const auto get = [&] {
    talk.host.run();
    return talk.ask("tasks/get",
                    R"({"taskId":)" + at(handle, "/taskId") + R"(,"_meta":)" + meta + "}");
  };
  const Reply<Quote> reply = broker.take();
  reply.context().progress(1, 2, "halfway");
  EXPECT_EQ(at(get(), "/statusMessage"), R"("halfway")");
  reply.finish(Quote{5, "done"});
  EXPECT_EQ(at(get(), "/status"), R"("completed")");
  EXPECT_EQ(at(get(), "/result/structuredContent/data/text"), R"("done")");
}

TEST(Reply, holds_the_place_of_its_call) {
  Broker broker;
  Settings settings;
  settings.max_waiting = 1;
  Server server("broker", "1", std::move(settings));
  server.tool("quote", "The price", &Broker::quote, broker).max_concurrent(2);
  Tester tester(std::move(server));
  std::vector<std::int64_t> calls;
  for (int i = 0; i < 4; ++i) calls.push_back(tester.start("quote", kOrder));
  EXPECT_EQ(broker.open.size(), 2U) << "the third waits";
  const TestAnswer refused = tester.finish(calls[3]);
  EXPECT_EQ(refused.code(), "RATE_LIMIT_EXCEEDED");
  EXPECT_EQ(refused.message(), "quote is busy: 1 calls of it wait already");
  (void)broker.take();  // dropped
  EXPECT_FALSE(tester.is_answered(calls[2]));
  EXPECT_EQ(broker.open.size(), 2U);
  broker.take().finish(Quote{1, ""});
  broker.take().finish(Quote{2, ""});
  EXPECT_EQ(tester.finish(calls[2]).at("/price"), "2");
}

TEST(Reply, keeps_its_place_after_the_deadline_until_its_holder_is_done) {
  Broker broker;
  Server server("broker", "1");
  server.tool("quote", "The price", &Broker::quote, broker).deadline(seconds(5)).max_concurrent(1);
  Tester tester(std::move(server));
  const std::int64_t first = tester.start("quote", kOrder);
  tester.advance(seconds(5));
  EXPECT_EQ(tester.finish(first).code(), "TIMEOUT");
  const std::int64_t second = tester.start("quote", kOrder);
  EXPECT_FALSE(tester.is_answered(second));
  EXPECT_EQ(broker.open.size(), 1U);
  (void)broker.take();
  EXPECT_FALSE(tester.is_answered(second));
  EXPECT_EQ(broker.open.size(), 1U);
  broker.take().finish(Quote{1, ""});
  EXPECT_TRUE(tester.finish(second).ok());
}

TEST(Tester, waits_for_the_place_of_a_cancelled_reply) {
  std::jthread holder;
  std::latch cancelled(1);
  Server server("broker", "1");
  server
      .tool("quote", "The price",
            [&](const Order& asked, Reply<Quote> reply) {
              if (asked.id != "held") {
                reply.finish(Quote{2, asked.id});
                return;
              }
              holder = std::jthread([&cancelled, reply = std::move(reply)] {
                cancelled.wait();
                std::this_thread::sleep_for(milliseconds(20));
              });
            })
      .max_concurrent(1);
  Tester tester(std::move(server));
  const std::int64_t held = tester.start("quote", R"({"id":"held"})");
  tester.cancel(held);
  cancelled.count_down();
  EXPECT_EQ(tester.call("quote", kOrder).at("/price"), "2");
}

TEST(Reply, that_was_finished_counts_though_its_handler_throws) {
  Server server("broker", "1");
  server.tool("quick", "Throws", [](Reply<Quote> reply) {
    EXPECT_TRUE(reply.finish(Quote{1, "done"}));
    throw std::runtime_error("afterwards");
  });
  server.tool("late", "Throws", [](Reply<Quote> /*reply*/) { throw std::runtime_error("before"); });
  Tester tester(std::move(server));
  EXPECT_EQ(tester.call("quick").at("/text"), R"("done")");
  EXPECT_THAT(tester.log(), ::testing::Contains(HasSubstr("afterwards")));
  EXPECT_EQ(tester.call("late").code(), "INTERNAL_ERROR");
}

TEST(Deadline, that_is_not_in_the_future_does_not_start) {
  for (const seconds deadline : {seconds(0), seconds(-1)}) {
    Server server("broker", "1");
    server.tool("slow", "Works", [] { return Text{"done"}; }).slow(deadline);
    EXPECT_DEATH(Tester{std::move(server)},
                 "tool slow: expected a deadline of more than 0 milliseconds");
  }
}

TEST(Deadline, of_a_tool_that_answers_at_once_does_not_start) {
  Server server("broker", "1");
  server.tool("quick", "Quick", [] { return Text{"x"}; }).deadline(seconds(1));
  ManualHost host;
  const auto made = Dispatcher::create(server, host);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().message, "tool quick: deadline() needs slow() or a handler with a Reply");
}

}  // namespace
}  // namespace enfold::server
