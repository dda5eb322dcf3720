// SPDX-License-Identifier: Apache-2.0
// Several upstreams behind one gateway: names, routes, and faults that stay where they are.
#include "enfold/base/text.h"
#include "enfold/gateway/policy/names.h"
#include "tests/gateway/meeting.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Settings two(const std::string& contract = "response-v2") {
  Settings settings = in_front_of(upstream("sessions", "one"), contract);
  settings.upstreams.push_back(upstream("stateless", "two"));
  for (UpstreamSettings& one : settings.upstreams) {
    one.idle_timeout = std::chrono::milliseconds(500);
  }
  return settings;
}

TEST(SeveralUpstreams, have_their_names_before_those_of_their_tools) {
  Meeting meeting(two());
  const std::vector<std::string> names = meeting.tool_names();
  EXPECT_THAT(names, ::testing::ElementsAre("one__echo", "one__result", "one__listed", "one__last",
                                            "two__echo", "two__result", "two__listed", "two__last",
                                            "server", "enfold_fetch"));
  EXPECT_EQ(meeting.tool_names(), names) << "the order is stable";
  for (const std::string name : {"one__echo", "two__echo"}) {
    const json::Value result = meeting.call(name, R"({"a":1.0})");
    EXPECT_EQ(at(result, "/isError"), "false");
    EXPECT_THAT(json::to_text(result.view()), HasSubstr("1.0"));
    EXPECT_THAT(json::to_text(result.view()), ::testing::Not(HasSubstr(name))) << "its own name";
  }
  EXPECT_EQ(at(meeting.call("three__echo"), "/code"), "-32602");
}

TEST(SeveralUpstreams, are_prefixed_without_a_contract_too) {
  Meeting meeting(two("none"));
  EXPECT_THAT(meeting.tool_names(), Contains("two__listed"));
  EXPECT_EQ(at(meeting.call("two__result", R"({"raw":"{\"content\":[]}"})"), "/content"), "[]");
}

TEST(SeveralUpstreams, do_not_suffer_from_each_other) {
  Meeting meeting(two());
  const int lost = meeting.start("tools/call", R"({"name":"one__crash","arguments":{}})");
  const int late = meeting.start("tools/call", R"({"name":"one__echo","arguments":{}})");
  const json::Value fine = meeting.call("two__echo");
  EXPECT_EQ(at(fine, "/isError"), "false");
  const json::Value failed = meeting.wait_for(lost);
  EXPECT_THAT(at(failed, "/structuredContent/error"), HasSubstr("server one"));
  EXPECT_EQ(at(meeting.wait_for(late), "/isError"), "true") << "it was open when the server ended";
  EXPECT_EQ(at(meeting.call("one__echo"), "/isError"), "false");
}

Settings two_with_schemes() {
  Settings settings = two();
  for (UpstreamSettings& one : settings.upstreams) {
    one = with_environment(one, "ENFOLD_TEST_SCHEME", one.name);
  }
  return settings;
}

TEST(SeveralUpstreams, are_found_by_a_resource_that_no_list_had) {
  for (const bool listed : {false, true}) {
    SCOPED_TRACE(listed);
    Meeting meeting(two_with_schemes());
    if (listed) meeting.ask("resources/templates/list", "{}");
    for (const std::string name : {"one", "two", "two"}) {
      const json::Value read =
          meeting.ask("resources/read", fmt::format(R"({{"uri":"{}://5"}})", name));
      EXPECT_EQ(at(read, "/contents/0/text"), fmt::format(R"("of {}")", name));
    }
    const json::Value nowhere = meeting.ask("resources/read", R"({"uri":"three://5"})");
    EXPECT_EQ(at(nowhere, "/message"), R"("Resource not found")");
    EXPECT_EQ(at(nowhere, "/data/x"), "1") << "as the server said it";
  }
}

TEST(SeveralUpstreams, are_told_who_watches_a_resource_that_no_list_had) {
  Settings settings = two_with_schemes();
  std::swap(settings.upstreams[0], settings.upstreams[1]);  // the one with sessions comes last
  Meeting meeting(std::move(settings));
  EXPECT_EQ(at(meeting.ask("resources/subscribe", R"({"uri":"one://5"})"), ""), "{}");
  EXPECT_THAT(json::to_text(meeting.call("one__heard").view()), HasSubstr("resources/subscribe"));
  const json::Value nowhere = meeting.ask("resources/subscribe", R"({"uri":"three://5"})");
  EXPECT_EQ(at(nowhere, "/message"), R"("Resource not found")");
}

TEST(SeveralUpstreams, are_not_told_who_stops_to_watch_a_resource_of_none_of_them) {
  Meeting meeting(two_with_schemes());
  EXPECT_EQ(at(meeting.ask("resources/unsubscribe", R"({"uri":"three://5"})"), ""), "{}");
}

TEST(SeveralUpstreams, that_come_back_are_told_of_their_own_resources_only) {
  Settings settings = two_with_schemes();
  for (UpstreamSettings& one : settings.upstreams) {
    one.target = upstream("sessions").target;
    one = with_environment(one, "ENFOLD_TEST_SCHEME", one.name);
  }
  Meeting meeting(std::move(settings));
  meeting.ask("resources/subscribe", R"({"uri":"one://5"})");
  meeting.ask("resources/subscribe", R"({"uri":"two://5"})");
  meeting.call("two__crash");
  EXPECT_THAT(json::to_text(meeting.call("two__heard").view()),
              AllOf(HasSubstr("two://5"), Not(HasSubstr("one://5"))));
}

TEST(SeveralUpstreams, complete_templates_that_nobody_listed_yet) {
  Meeting meeting(two_with_schemes());
  for (const std::string name : {"two", "one"}) {
    const json::Value completed =
        meeting.ask("completion/complete",
                    fmt::format(R"({{"ref":{{"type":"ref/resource","uri":"{}://{{id}}"}},)"
                                R"("argument":{{"name":"id","value":""}}}})",
                                name));
    EXPECT_EQ(at(completed, "/completion/values"), fmt::format(R"(["of {}"])", name));
  }
}

TEST(SeveralUpstreams, give_prompts_with_long_names) {
  Meeting meeting(two_with_schemes());
  const json::Value list = meeting.ask("prompts/list", "{}");
  for (const std::string place : {"/prompts/0/name", "/prompts/1/name"}) {
    const std::string name = at(list, place);
    EXPECT_LE(name.size(), kMaxNameLength + 2);
    EXPECT_EQ(at(meeting.ask("prompts/get", R"({"name":)" + name + "}"), "/description"),
              '"' + std::string(70, 'p') + '"');
  }
}

TEST(ManyClients, are_listed_what_they_could_be_asked_for) {
  for (const bool stateless : {false, true}) {
    for (const bool may_elicit : {false, true}) {
      SCOPED_TRACE(fmt::format("stateless {}, may elicit {}", stateless, may_elicit));
      Settings settings = in_front_of(upstream());
      settings.one_client = false;
      Meeting meeting(std::move(settings), may_elicit ? R"({"elicitation":{}})" : "{}", stateless);
      const std::vector<std::string> names = meeting.tool_names();
      EXPECT_EQ(std::count(names.begin(), names.end(), "elicit"), may_elicit ? 1 : 0);
    }
  }
}

TEST(ManyClients, do_not_keep_the_gateway_from_ending_when_they_have_just_left) {
  Settings settings = in_front_of(upstream());
  settings.one_client = false;
  Meeting meeting(std::move(settings));
  EXPECT_EQ(at(meeting.call("echo"), "/isError"), "false") << "it has a server of its own";
  std::exchange(meeting.connection, nullptr)->detach();
}  // waits for the end

TEST(ShownName, is_short_and_the_same_every_time) {
  struct Case {
    const char* name;
    std::string tool;
    std::string want;
  };
  const std::string longest(59, 'x');
  const Case cases[] = {
      {"plain", "echo", "one__echo"},
      {"as long as may be", longest, "one__" + longest},
      {"too long", longest + "y", "one__" + std::string(50, 'x') + "_"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const std::string shown = shown_name("one", one.tool);
    EXPECT_THAT(shown, ::testing::StartsWith(one.want));
    EXPECT_LE(shown.size(), kMaxNameLength);
    EXPECT_EQ(shown, shown_name("one", one.tool));
  }
  EXPECT_NE(shown_name("one", longest + "y"), shown_name("one", longest + "z"));
  for (std::string tool : {"", "x", "xx", "xxx"}) {
    for (int i = 0; i < 20; ++i) tool += "\xF0\x9F\x98\x80";
    const std::string shown = shown_name("one", tool);
    EXPECT_EQ(shown.size(), kMaxNameLength);
    EXPECT_FALSE(utf8::first_invalid(shown)) << shown;
  }
}

}  // namespace
}  // namespace enfold::gateway
