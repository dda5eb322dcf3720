// SPDX-License-Identifier: Apache-2.0
// Lists of upstreams that change often, hang, are down or come back.
#include "tests/gateway/front.h"
#include "tests/store/temporary_folder.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kChanged = "notifications/tools/list_changed";

std::size_t notices(const Meeting& meeting) {
  return static_cast<std::size_t>(std::ranges::count_if(meeting.heard, [](const auto& one) {
    const auto method = one->find("method");
    return method && method->equals(kChanged);
  }));
}

int lists_asked(Meeting& meeting) {
  const std::string count = at(meeting.call("lists"), "/structuredContent/data/text");
  return std::stoi(count.substr(1));
}

TEST(ChangedLists, are_asked_for_and_told_once_in_a_while) {
  Meeting meeting(in_front_of(upstream()));
  meeting.call("change_often");
  EXPECT_GE(notices(meeting), 1U) << "the first at once";
  EXPECT_LE(notices(meeting), 2U);
  EXPECT_LE(lists_asked(meeting), 4) << "two pages each";
  meeting.loop->advance(seconds(2));
  EXPECT_TRUE(meeting.loop.until([&] { return notices(meeting) >= 2; })) << "the last is not lost";
  meeting.loop->advance(seconds(2));
  EXPECT_LE(lists_asked(meeting), 4);
  EXPECT_EQ(notices(meeting), 2U);
}

TEST(ChangedLists, of_a_server_that_never_rests_leave_the_others_alone) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_RESTLESS", "1")));
  meeting.tool_names();
  for (int i = 0; i < 50; ++i) meeting.call("echo");
  EXPECT_LE(lists_asked(meeting), 4);
  EXPECT_LE(notices(meeting), 2U);
}

TEST(ListsOfSeveral, are_empty_but_for_our_own_where_nobody_has_tools) {
  const auto without_tools = [](const char* name) {
    return with_environment(upstream("sessions", name), "ENFOLD_TEST_NO_TOOLS", "1");
  };
  Settings settings = in_front_of(without_tools("one"));
  settings.upstreams.push_back(without_tools("two"));
  Meeting meeting(std::move(settings));
  EXPECT_THAT(meeting.tool_names(), Contains("enfold_fetch"));
}

class Lists : public ::testing::Test {
 protected:
  /// `one` waits, is down or has more as long as its files are there; `two` is well.
  [[nodiscard]] Settings settings() const {
    UpstreamSettings one = upstream("sessions", "one");
    for (const char* const what : {"SLOW", "DOWN", "MORE"}) {
      one = with_environment(std::move(one), std::string("ENFOLD_TEST_") + what, folder.file(what));
    }
    one.circuit_breaker.initial_backoff = milliseconds(1);
    Settings out = in_front_of(std::move(one));
    out.upstreams.push_back(upstream("sessions", "two"));
    return out;
  }
  void make(const std::string& file) const { std::ofstream(folder.file(file)) << "x"; }
  void remove(const std::string& file) const { std::filesystem::remove(folder.file(file)); }

  store::testing::TemporaryFolder folder;
};

TEST_F(Lists, come_without_an_upstream_that_does_not_answer_and_it_is_told_when_it_does) {
  make("SLOW");
  Meeting meeting(settings());
  const int list = meeting.start("tools/list", "{}");
  for (int page = 0; page < 2; ++page) meeting.call("two__echo");  // which is behind the pages
  EXPECT_FALSE(meeting.answer_to(list));
  meeting.loop->advance(seconds(6));
  EXPECT_THAT(names_in(meeting.wait_for(list)),
              ElementsAre("two__echo", "two__result", "two__listed", "two__last", "server",
                          "enfold_fetch"));
  EXPECT_EQ(notices(meeting), 0U);
  remove("SLOW");
  meeting.wait_for_method(kChanged);
  EXPECT_THAT(meeting.tool_names(), Contains("one__echo"));
  make("SLOW");
  const int again = meeting.start("tools/list", "{}");
  for (int page = 0; page < 2; ++page) meeting.call("two__echo");
  meeting.loop->advance(seconds(6));
  EXPECT_THAT(names_in(meeting.wait_for(again)), Contains("one__echo")) << "as it was";
  remove("SLOW");
  meeting.call("one__echo");
  EXPECT_EQ(notices(meeting), 1U) << "nothing has changed";
}

TEST_F(Lists, of_all_tools_come_without_an_upstream_that_does_not_answer) {
  make("SLOW");
  Meeting meeting(settings());
  const int all =
      meeting.start("tools/call", R"({"name":"server","arguments":{"action":"tools"}})");
  for (int page = 0; page < 2; ++page) meeting.call("two__echo");
  meeting.loop->advance(seconds(6));
  EXPECT_THAT(json::to_text(meeting.wait_for(all).view()), HasSubstr("two__echo"));
  remove("SLOW");
}

TEST_F(Lists, that_do_not_come_do_not_keep_the_gateway_from_listening) {
  Settings given = settings();
  given.one_client = false;
  std::get<client::StdioTarget>(given.upstreams[0].target).command.emplace_back("mute");
  net::RunningLoop loop;
  serve::LoopHost host(*loop, 2, 64);
  const std::unique_ptr<Gateway> gateway = std::move(*Gateway::create(given, *loop, host));
  bool connected = false;
  gateway->connect([&](const Status& status) { connected = status.has_value(); });
  const auto& upstreams = gateway->upstreams();
  EXPECT_TRUE(
      loop.until([&] { return upstreams[0]->identity && !upstreams[1]->tools.is_empty(); }));
  EXPECT_FALSE(connected);
  loop->advance(seconds(6));
  EXPECT_TRUE(loop.until([&] { return connected; }));
  bool closed = false;
  gateway->close([&] { closed = true; });
  EXPECT_TRUE(loop.until([&] { return closed; }));
}

TEST_F(Lists, keep_what_an_upstream_had_while_it_is_down_and_tell_what_is_new_when_it_is_back) {
  Meeting meeting(settings());
  EXPECT_THAT(meeting.tool_names(), Contains("one__echo"));
  make("DOWN");
  meeting.call("one__crash");
  EXPECT_THAT(meeting.tool_names(), Contains("one__echo"));
  remove("DOWN");
  EXPECT_TRUE(
      meeting.loop.until([&] { return at(meeting.call("one__echo"), "/isError") == "false"; }));
  for (int page = 0; page < 3; ++page) meeting.call("one__echo");
  EXPECT_EQ(notices(meeting), 0U) << "it has what it had";
  make("MORE");
  meeting.call("one__crash");
  meeting.loop->advance(seconds(2));
  EXPECT_TRUE(
      meeting.loop.until([&] { return at(meeting.call("one__echo"), "/isError") == "false"; }));
  meeting.wait_for_method(kChanged);
  EXPECT_THAT(meeting.tool_names(), Contains("one__more"));
}

TEST_F(Lists, of_an_upstream_that_was_down_from_the_start_are_told_when_it_comes) {
  make("DOWN");
  Meeting meeting(settings());
  EXPECT_THAT(meeting.tool_names(), Not(Contains("one__echo")));
  remove("DOWN");
  EXPECT_TRUE(
      meeting.loop.until([&] { return at(meeting.call("one__echo"), "/isError") == "false"; }));
  meeting.wait_for_method(kChanged);
  EXPECT_THAT(meeting.tool_names(), Contains("one__echo"));
}

// A call of a tool that is not listed waits for the list that was requested for another client, but
// does not depend on the process of that client.
TEST_F(Lists, for_a_call_do_not_depend_on_the_server_of_another_client) {
  for (const bool ends : {true, false}) {
    UpstreamSettings one = with_environment(upstream(), "ENFOLD_TEST_TOOL",
                                            R"({"name":"pid","inputSchema":{"type":"object"}})");
    one = with_environment(std::move(one), "ENFOLD_TEST_MORE", folder.file("MORE"));
    one.allow_unlisted_tools = false;
    Settings settings = for_many(std::move(one), "none");
    settings.principals = {principal("ada", "key of ada"), principal("bob", "key of bob")};
    Front front(std::move(settings));
    const auto ada = front.voice("key of ada");
    const auto bob = front.voice("key of bob");
    const std::string of_ada = ada->open_session();
    const std::string of_bob = bob->open_session();
    const int process = std::stoi(ada->call_in(of_ada, "pid").at("/content/0/text").substr(1));
    ASSERT_EQ(kill(process, SIGSTOP), 0);
    make("MORE");
    const auto call_more = [](Voice& client, const std::string& session) {
      return client.send("POST",
                         R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                         R"({"name":"more","arguments":{}}})",
                         Voice::in(session));
    };
    const auto waiting = [&] {
      const auto& wait = front.gateway->upstreams()[0]->tools_wait;
      return wait ? wait->calls.size() : 0;
    };
    const auto first = call_more(*ada, of_ada);
    ASSERT_TRUE(front.loop.until([&] { return waiting() == 1; }));
    const auto second = call_more(*bob, of_bob);
    ASSERT_TRUE(front.loop.until([&] { return waiting() == 2; }));
    if (ends) kill(process, SIGKILL);
    if (!ends) front.loop->advance(seconds(6));
    EXPECT_THAT(bob->wait(*second).body, HasSubstr("Unknown tool: more")) << "the server says it";
    if (!ends) kill(process, SIGKILL);
    EXPECT_NE(ada->wait(*first).body, "");
    remove("MORE");
  }
}

TEST(DoubledTools, are_listed_once_and_the_operator_is_told) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_TWICE", "1")));
  for (int i = 0; i < 2; ++i) {
    const std::vector<std::string> names = meeting.tool_names();
    EXPECT_EQ(std::ranges::count(names, "echo"), 1);
  }
  EXPECT_THAT(json::to_text(meeting.ask("tools/list", "{}").view()),
              Not(HasSubstr("the second of its name")));
  const auto told = [](const serve::LogLine& line) { return line.event == "tool_listed_twice"; };
  EXPECT_EQ(std::ranges::count_if(meeting.lines, told), 1);
}

TEST(NamelessTools, are_left_out_and_the_operator_is_told) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_TWICE", "1")));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(json::to_text(meeting.ask("tools/list", "{}").view()), Not(HasSubstr("nameless")));
  }
  const auto told = [](const serve::LogLine& line) { return line.event == "tool_without_name"; };
  EXPECT_EQ(std::ranges::count_if(meeting.lines, told), 1);
}

}  // namespace
}  // namespace enfold::gateway
