// SPDX-License-Identifier: Apache-2.0
// Messages that a worker reads: the order of a connection, and what happens in the meantime.
#include "tests/client/over_http.h"

#include <deque>

namespace enfold::client {
namespace {

using Seen = ScriptedHttp::Seen;

/// A worker that works when the test says so.
struct Worker {
  ClientOptions options() {
    ClientOptions made = impatient(ClientOptions::Eras::sessions);
    made.max_notification_bytes = 1000;
    made.work = [this](std::size_t /*bytes*/, net::Task job, net::Task done) {
      jobs.emplace_back(std::move(job), std::move(done));
    };
    return made;
  }
  void work() {
    auto [job, done] = std::move(jobs.front());
    jobs.pop_front();
    job();
    done();
  }
  std::deque<std::pair<net::Task, net::Task>> jobs;
};

std::string long_result(int id) {
  return result(id, fmt::format(R"("ok":true,"text":"{}")", std::string(100'000, 'x')));
}

class LongMessage : public OverHttp {
 protected:
  void SetUp() override {
    server.rest = [](const Seen& seen, net::Responder responder) {
      if (seen.method == "GET")
        return responder.respond({.status = 405, .headers = {}, .body = {}});
      const int id = id_of(seen);
      responder.respond(json_body(says(seen, "long") ? long_result(id) : result(id, R"("a":1)")));
    };
    connect(worker.options());
    ASSERT_TRUE(greeted.has_value()) << greeted.error().message;
  }
  mcp::CallKey call(const std::string& method) {
    return client->request(client->prepare(method), {.done = [this, method](CallResult outcome) {
                             ended.push_back(outcome ? method : outcome.error().error.message);
                           }});
  }
  Worker worker;
  std::vector<std::string> ended;
};

TEST_F(LongMessage, is_handled_before_those_behind_it) {
  call("long/1");
  ASSERT_TRUE(loop.until([&] { return worker.jobs.size() == 1; }));
  call("short/1");
  call("long/2");
  call("short/2");
  loop.settle();
  EXPECT_TRUE(ended.empty());
  EXPECT_EQ(worker.jobs.size(), 1U) << "one at a time";
  while (!worker.jobs.empty()) worker.work();
  ASSERT_TRUE(loop.until([&] {
    if (!worker.jobs.empty()) worker.work();
    return ended.size() == 4;
  }));
  EXPECT_EQ(ended.front(), "long/1");
}

TEST_F(LongMessage, of_a_cancelled_call_is_dropped) {
  const mcp::CallKey cancelled = call("long/1");
  ASSERT_TRUE(loop.until([&] { return worker.jobs.size() == 1; }));
  call("short/1");
  client->cancel(cancelled, "not needed");
  worker.work();
  ASSERT_TRUE(loop.until([&] { return !ended.empty(); }));
  EXPECT_EQ(ended, std::vector<std::string>{"short/1"});
}

TEST_F(LongMessage, may_outlive_its_client) {
  call("long/1");
  ASSERT_TRUE(loop.until([&] { return worker.jobs.size() == 1; }));
  client.reset();
  loop.settle();
  worker.work();
  EXPECT_TRUE(ended.empty());
}

TEST_F(LongMessage, may_outlive_its_connection) {
  call("long/1");
  ASSERT_TRUE(loop.until([&] { return worker.jobs.size() == 1; }));
  bool closed = false;
  client->close([&] { closed = true; });
  ASSERT_TRUE(loop.until([&] { return closed; }));
  worker.work();
  EXPECT_EQ(ended, std::vector<std::string>{"the client was closed"});
}

TEST_F(LongMessage, that_is_being_read_has_not_timed_out) {
  call("long/1");
  ASSERT_TRUE(loop.until([&] { return worker.jobs.size() == 1; }));
  loop->advance(std::chrono::seconds(60));
  loop.settle();
  EXPECT_TRUE(ended.empty());
  worker.work();
  EXPECT_EQ(ended, std::vector<std::string>{"long/1"});
}

TEST_F(LongMessage, that_only_notifies_is_dropped) {
  server.rest = [](const Seen& seen, net::Responder responder) {
    if (seen.method == "GET") return responder.respond({.status = 405, .headers = {}, .body = {}});
    const std::string notification = fmt::format(
        R"({{"jsonrpc":"2.0","method":"notifications/message","params":{{"data":"{}"}}}})",
        std::string(100'000, 'x'));
    responder.respond(event_stream("data: " + notification +
                                   "\n\ndata: " + result(id_of(seen), R"("a":1)") + "\n\n"));
  };
  call("short/1");
  ASSERT_TRUE(loop.until([&] { return worker.jobs.size() == 1; }));
  EXPECT_TRUE(ended.empty());
  worker.work();
  ASSERT_TRUE(loop.until([&] { return !ended.empty(); }));
  EXPECT_EQ(ended, std::vector<std::string>{"short/1"});
}

}  // namespace
}  // namespace enfold::client
