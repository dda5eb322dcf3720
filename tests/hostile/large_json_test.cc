// SPDX-License-Identifier: Apache-2.0
// Servers whose messages are expensive to read must not delay other clients: each test measures the
// longest time that the loop was busy at once.
#include "tests/gateway/front.h"

#include <algorithm>
#include <ctime>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

constexpr double kLongestTurn = 0.05;  // seconds of processor time; before, 0.4 and more

double seconds_of_this_thread() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

struct Said {
  json::Value answer;
  double longest_turn = 0;  ///< seconds of processor time
};

// The server writes this line so many times, and then answers unless the line is the answer.
Said say(Meeting& meeting, const std::string& line, int members, int times = 1) {
  const int call = meeting.start(
      "tools/call",
      fmt::format(R"({{"name":"say_raw","arguments":{{"raw":{},"members":{},"times":{}}}}})",
                  json::quote(line), members, times));
  Said said;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!meeting.answer_to(call) && std::chrono::steady_clock::now() < deadline) {
    const double begin = seconds_of_this_thread();
    (*meeting.loop).turn(std::chrono::milliseconds(50));
    said.longest_turn = std::max(said.longest_turn, seconds_of_this_thread() - begin);
  }
  said.answer = meeting.wait_for(call);
  return said;
}

constexpr int kMembers = 1'000'000;  // six bytes each

struct Case {
  const char* name;
  const char* line;
  int times = 1;
};

TEST(LargeJson, of_an_upstream_is_not_read_on_the_loop) {
  const Case cases[] = {
      {"error", R"({"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"m","data":{MEMBERS}}})"},
      {"log",
       R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error",MEMBERS}})",
       3},
      {"progress",
       R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,MEMBERS}})",
       3},
      {"change of a list",
       R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{MEMBERS}})", 3},
      {"answer to no request", R"({"jsonrpc":"2.0","id":99999,"result":{MEMBERS}})", 3},
      {"start of a task",
       R"({"jsonrpc":"2.0","id":ID,"result":{"task":{"taskId":"t","status":"working",MEMBERS}}})"},
      {"task with many members",
       R"({"jsonrpc":"2.0","id":ID,"result":{"task":{"taskId":"t",MEMBERS,"status":"working"}}})"},
      {"meta", R"({"jsonrpc":"2.0","id":ID,"result":{"content":[],"_meta":{MEMBERS}}})"},
      {"result", R"({"jsonrpc":"2.0","id":ID,"result":{"content":[],MEMBERS}})"},
      {"broken", R"({"jsonrpc":"2.0","result":{MEMBERS},"x":{MEMBERS})", 3},
      {"question", R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{MEMBERS}})",
       2},
  };
  for (const Case& one : cases) {
    Meeting meeting(in_front_of(upstream(), "response-v2"));
    EXPECT_LT(say(meeting, one.line, kMembers, one.times).longest_turn, kLongestTurn) << one.name;
  }
}

TEST(LargeJson, of_a_stateless_upstream_is_not_read_on_the_loop) {
  const Case cases[] = {
      {"input required",
       R"({"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","inputRequests":{MEMBERS}}})"},
      {"result",
       R"({"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","content":[],MEMBERS}})"},
  };
  for (const Case& one : cases) {
    Meeting meeting(in_front_of(upstream("stateless"), "response-v2"), "{}", /*stateless=*/true);
    EXPECT_LT(say(meeting, one.line, kMembers, one.times).longest_turn, kLongestTurn) << one.name;
  }
}

TEST(LargeJson, does_not_change_the_order_of_messages) {
  Meeting meeting(in_front_of(upstream(), "none"));
  // 100 kB of text are read on a worker; the short messages behind them wait.
  const std::string text(100'000, 'x');
  const Said said =
      say(meeting,
          fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/message","params":)"
                      R"({{"level":"error","data":"{}"}}}})"
                      "\n"
                      R"({{"jsonrpc":"2.0","method":"notifications/message","params":)"
                      R"({{"level":"error","data":"short"}}}})",
                      text),
          0, 3);
  EXPECT_EQ(at(said.answer, "/content"), "[]");
  std::vector<std::size_t> sizes;
  for (const json::Value& one : meeting.heard) sizes.push_back(json::to_text(one.view()).size());
  ASSERT_EQ(sizes.size(), 7U) << "six messages and the answer";
  for (const std::size_t i : {0U, 2U, 4U}) EXPECT_GT(sizes[i], 100'000U) << i;
  for (const std::size_t i : {1U, 3U, 5U, 6U}) EXPECT_LT(sizes[i], 1'000U) << i;
}

TEST(LargeJson, that_is_read_while_the_server_ends_still_answers_its_call) {
  Meeting meeting(in_front_of(upstream()));
  const int call = meeting.start(
      "tools/call",
      fmt::format(R"({{"name":"say_raw","arguments":{{"raw":{},"members":1000000,"times":1}}}})",
                  json::quote(R"({"jsonrpc":"2.0","id":ID,"result":{"content":[],MEMBERS}})")));
  const int last = meeting.start("tools/call", R"({"name":"crash"})");
  EXPECT_EQ(at(meeting.wait_for(call), "/isError"), "false");
  (void)meeting.wait_for(last);
}

TEST(LargeJson, that_is_read_while_its_connection_closes_is_dropped) {
  for (int turns = 0; turns < 60; turns += 3) {
    Meeting meeting(in_front_of(upstream()));
    meeting.start(
        "tools/call",
        fmt::format(R"({{"name":"say_raw","arguments":{{"raw":{},"members":300000,"times":3}}}})",
                    json::quote(R"({"jsonrpc":"2.0","id":ID,"result":{"content":[],MEMBERS}})")));
    for (int i = 0; i < turns; ++i) (*meeting.loop).turn(std::chrono::milliseconds(2));
    meeting.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  }
}

// 200,000 lines of five bytes kept the loop busy for 0.4 seconds.
TEST(LinesOfNoise, are_handled_in_parts) {
  Meeting meeting(in_front_of(upstream(), "none"));
  EXPECT_LT(say(meeting, "noise", 0, 200'000).longest_turn, kLongestTurn);
  EXPECT_LT(
      say(meeting, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})", 0, 50'000)
          .longest_turn,
      kLongestTurn);
}

// 300 calls with 4 MB each held 1.7 GB.
TEST(Arguments, of_open_calls_may_hold_only_a_share_of_memory) {
  const Settings settings = in_front_of(upstream());
  OpenCalls calls(settings);
  const ClientShare ann{"ann", Shares::Limit::fair_share};
  const ClientShare bob{"bob", Shares::Limit::fair_share};
  constexpr std::size_t kBytes = std::size_t{4} << 20;
  std::vector<std::shared_ptr<void>> places;
  while (places.size() < 100) {
    std::shared_ptr<void> place = calls.take_place(ann, kBytes);
    if (!place) break;
    places.push_back(std::move(place));
  }
  EXPECT_EQ(places.size(), 32U) << "128 MiB";
  EXPECT_TRUE(calls.take_place(ann, 1000)) << "a small call";
  EXPECT_TRUE(calls.take_place(bob, kBytes));
  EXPECT_THAT(calls.refusal(kBytes).message, HasSubstr("128 MiB of arguments"));
  places.pop_back();
  EXPECT_TRUE(calls.take_place(ann, kBytes)) << "when one has ended";
}

TEST(TaskIds, that_are_long_are_refused) {
  Meeting meeting(in_front_of(upstream(), "none"));
  const json::Value refused = meeting.call(
      "say_raw", fmt::format(R"({{"raw":{},"members":0,"times":1}})",
                             json::quote(fmt::format(
                                 R"({{"jsonrpc":"2.0","id":ID,"result":{{"task":{{"taskId":"{}",)"
                                 R"("status":"working"}}}}}})",
                                 std::string(2000, 't')))));
  EXPECT_THAT(at(refused, "/message"), HasSubstr("id or description is too long"));
  EXPECT_EQ(at(meeting.call("task"), "/task/taskId"), R"("t1")");
}

// One client sends requests of 4 MB; the others were served once in 160 ms.
TEST(LargeJson, of_a_client_is_not_read_on_the_loop) {
  Front front(for_many(upstream()));
  const std::unique_ptr<Voice> voice = front.voice();
  const std::string in = Voice::in(voice->open_session());
  std::string members;
  for (int i = 0; i < 550'000; ++i) members += R"("a":1,)";
  const std::string body =
      fmt::format(R"({{"jsonrpc":"2.0","id":7,"method":"ping","params":{{{}"b":1}}}})", members);
  double longest = 0;
  std::vector<std::unique_ptr<Voice::Sent>> pings;
  for (int i = 0; i < 8; ++i) pings.push_back(voice->send("POST", body, in));
  while (!std::ranges::all_of(pings, [](const auto& ping) { return ping->heard.has_value(); })) {
    const double begin = seconds_of_this_thread();
    (*front.loop).turn(std::chrono::seconds(10));
    longest = std::max(longest, seconds_of_this_thread() - begin);
  }
  EXPECT_LT(longest, kLongestTurn);
  for (const auto& ping : pings) EXPECT_EQ(ping->heard->status, 200);
}

}  // namespace
}  // namespace enfold::gateway
