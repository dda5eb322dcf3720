// SPDX-License-Identifier: Apache-2.0
// Processes of upstreams end when they are not needed, and no principal can start too many.
#include "tests/gateway/front.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using ::testing::HasSubstr;

UpstreamSettings ends_after_ten_minutes(const std::string& era = "sessions") {
  UpstreamSettings one = upstream(era);
  one.process_idle_timeout = minutes(10);
  one.idle_timeout = hours(2);
  return one;
}

std::string pid(Meeting& meeting) { return at(meeting.call("pid"), "/content/0/text"); }

/// Lets a quarter of an hour pass, in steps that every timer sees.
template <class Loop>
void pass_a_quarter_of_an_hour(Loop& loop) {
  for (int i = 0; i < 60; ++i) {
    loop->advance(std::chrono::seconds(15));
    loop.settle();
  }
}

TEST(IdleProcess, ends_and_starts_again_with_the_next_call) {
  for (const bool is_shared : {false, true}) {
    for (const std::string era : {"sessions", "stateless", "both"}) {
      SCOPED_TRACE(fmt::format("{} {}", era, is_shared));
      UpstreamSettings one = ends_after_ten_minutes(era);
      one.is_shared = is_shared;
      Meeting meeting(for_many(std::move(one), "none"));
      const std::string first = pid(meeting);
      EXPECT_EQ(pid(meeting), first);
      pass_a_quarter_of_an_hour(meeting.loop);
      EXPECT_TRUE(meeting.loop.until(
          [&] { return meeting.gateway->report().upstreams.front().connections == 0; }));
      EXPECT_NE(pid(meeting), first);
      EXPECT_EQ(meeting.gateway->report().upstreams.front().failures, 0U);
      EXPECT_EQ(meeting.gateway->report().upstreams.front().connections, 1U);
    }
  }
}

TEST(IdleProcess, of_the_only_client_does_not_end) {
  Meeting meeting(in_front_of(ends_after_ten_minutes(), "none"));
  const std::string first = pid(meeting);
  pass_a_quarter_of_an_hour(meeting.loop);
  EXPECT_EQ(pid(meeting), first);
}

TEST(IdleProcess, is_kept_by_subscriptions) {
  for (const std::string era : {"sessions", "stateless"}) {
    SCOPED_TRACE(era);
    Meeting meeting(for_many(ends_after_ten_minutes(era), "none"));
    const std::string first = pid(meeting);
    EXPECT_EQ(at(meeting.ask("resources/subscribe", R"({"uri":"a://b"})"), ""), "{}");
    pass_a_quarter_of_an_hour(meeting.loop);
    EXPECT_EQ(pid(meeting), first);
  }
}

TEST(IdleProcess, is_kept_by_open_calls) {
  Meeting meeting(for_many(ends_after_ten_minutes(), "none"));
  const std::string first = pid(meeting);
  const int silent = meeting.start("tools/call", R"({"name":"silent","arguments":{}})");
  pass_a_quarter_of_an_hour(meeting.loop);
  EXPECT_EQ(meeting.answer_to(silent), std::nullopt) << "it is still open";
  EXPECT_EQ(pid(meeting), first);
}

TEST(IdleProcess, is_kept_by_a_task_until_its_result_is_fetched) {
  Meeting meeting(for_many(ends_after_ten_minutes(), "none"));
  const std::string first = pid(meeting);
  meeting.call("task");
  pass_a_quarter_of_an_hour(meeting.loop);
  EXPECT_EQ(pid(meeting), first);
  EXPECT_THAT(json::to_text(meeting.ask("tasks/result", R"({"taskId":"t1"})").view()),
              HasSubstr("done: t1"));
  pass_a_quarter_of_an_hour(meeting.loop);
  EXPECT_NE(pid(meeting), first);
}

TEST(Processes, are_shared_out_and_what_is_refused_starts_nothing) {
  Settings settings = for_many(upstream());
  settings.principals = {principal("ada", "key of ada"), principal("bob", "key of bob")};
  settings.max_processes = 3;
  Front front(std::move(settings));
  const auto processes = [&] { return front.gateway->report().upstreams.front().connections; };
  const auto ada = front.voice("key of ada");
  const auto opens = [&](Voice& voice, const std::string& session) {
    return voice.call_in(session, "pid").at("/isError") == "false";
  };
  std::vector<std::string> sessions;
  for (int i = 0; i < 3; ++i) sessions.push_back(ada->open_session());
  EXPECT_TRUE(opens(*ada, sessions[0]));
  EXPECT_TRUE(opens(*ada, sessions[1]));
  EXPECT_EQ(processes(), 3U) << "with that of the start, which those without a session use";
  const Heard refused = ada->call_in(sessions[2], "pid");
  EXPECT_THAT(refused.body, HasSubstr("as many processes of servers as it may have"));
  EXPECT_EQ(processes(), 3U);
  const auto bob = front.voice("key of bob");
  const std::string session = bob->open_session();
  EXPECT_TRUE(opens(*bob, session)) << "who has none gets one";
  EXPECT_TRUE(opens(*ada, sessions[0])) << "those that run are not touched";
  EXPECT_EQ(ada->request("DELETE", "", Voice::in(sessions[0])).status, 200);
  EXPECT_EQ(bob->request("DELETE", "", Voice::in(session)).status, 200);
  EXPECT_TRUE(front.loop.until([&] { return opens(*ada, sessions[2]); }));
}

TEST(Processes, that_a_client_may_not_have_are_no_outage) {
  Settings settings = for_many(upstream("sessions", "one"));
  settings.upstreams.push_back(upstream("sessions", "two"));
  settings.upstreams[0].all_tools = {.stale_if_error = hours(1), .fallback = "two"};
  settings.upstreams[0].all_tools.is_safe = true;
  settings.principals = {principal("ada", "key of ada")};
  settings.max_processes = 2;
  Front front(std::move(settings));
  const auto ada = front.voice("key of ada");
  const std::string first = ada->open_session();
  const std::string second = ada->open_session();
  EXPECT_EQ(ada->call_in(first, "one__echo").at("/isError"), "false");
  const Heard refused = ada->call_in(second, "one__echo");
  EXPECT_EQ(refused.at("/isError"), "true");
  EXPECT_THAT(refused.body, HasSubstr("as many processes of servers as it may have"));
  for (const char* const no_outage : {"is down", "UPSTREAM_UNAVAILABLE", "restarted"}) {
    EXPECT_THAT(refused.body, ::testing::Not(HasSubstr(no_outage)));
  }
}

TEST(Processes, of_local_clients_without_keys_are_limited_only_in_total) {
  Settings settings = for_many(upstream());
  settings.max_processes = 3;
  Front front(std::move(settings));
  for (int i = 0; i < 4; ++i) {
    const auto voice = front.voice();
    const Heard heard = voice->call_in(voice->open_session(), "pid");
    EXPECT_EQ(heard.at("/isError"), i < 3 ? "false" : "true");
  }
}

}  // namespace
}  // namespace enfold::gateway
