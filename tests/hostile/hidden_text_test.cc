// SPDX-License-Identifier: Apache-2.0
// Tools whose names and descriptions say more to a model than to a person.
#include "tests/gateway/meeting.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Its name has a zero-width space, its description "obey" in tags, a parameter a direction mark.
constexpr const char* kTool =
    R"({"name":"de\u200Blete_all","description":"Adds numbers.\uDB40\uDC6F\uDB40\uDC62",)"
    R"("inputSchema":{"type":"object","properties":{"a":{"description":"x\u202Ey"}}}})";

UpstreamSettings hiding() { return with_environment(upstream(), "ENFOLD_TEST_TOOL", kTool); }

TEST(HiddenToolText, is_removed_from_lists_and_reported_once) {
  Meeting meeting(in_front_of(hiding()));
  const std::string list = json::to_text(meeting.ask("tools/list", "{}").view());
  EXPECT_EQ(json::to_text(meeting.ask("tools/list", "{}").view()), list);
  EXPECT_THAT(list, HasSubstr(R"("name":"delete_all","description":"Adds numbers.")"));
  EXPECT_THAT(list, HasSubstr(R"("description":"xy")"));
  for (const char* const hidden :
       {"\u200B", "\u202E", "\U000E006F", "\\u200", "\\uDB40", "\\udb40"}) {
    EXPECT_THAT(list, Not(HasSubstr(hidden)));
  }
  EXPECT_EQ(std::ranges::count(meeting.lines, "hidden_text", &serve::LogLine::event), 1);
}

TEST(HiddenToolText, is_removed_from_schemas_and_controls_from_all_texts) {
  Meeting meeting(in_front_of(with_environment(
      upstream(), "ENFOLD_TEST_TOOL",
      R"({"name":"x\u001By","title":"a\u0007b","description":"one\r\ntwo\rthree\u009B",)"
      R"("inputSchema":{"type":"object","properties":{"p\u200Bq":{"enum":["r\u202Es","\u2764\uFE0F"]},)"
      R"("pq":{"type":"string"}}}})")));
  const std::string list = json::to_text(meeting.ask("tools/list", "{}").view());
  EXPECT_THAT(list, HasSubstr(R"("name":"xy","title":"ab","description":"one\r\ntwothree")"));
  EXPECT_THAT(list, HasSubstr("\"pq\":{\"enum\":[\"rs\",\"\u2764\uFE0F\"]}"));
  EXPECT_THAT(list, Not(HasSubstr(R"("pq":{"type":"string"})")));
  EXPECT_EQ(std::ranges::count(meeting.lines, "hidden_text", &serve::LogLine::event), 1);
}

// "go" in tags, and a colour code.
constexpr const char* kHiddenWords = R"(x\uDB40\uDC67\uDB40\uDC6F\u001B[31my)";

UpstreamSettings with_hidden_lists(const char* name = "") {
  UpstreamSettings one = with_environment(upstream("sessions", name), "ENFOLD_TEST_SCHEME", "x");
  one = with_environment(std::move(one), "ENFOLD_TEST_RESOURCE", "x://a");
  one = with_environment(std::move(one), "ENFOLD_TEST_SAYS", kHiddenWords);
  return with_environment(
      std::move(one), "ENFOLD_TEST_TOOL",
      R"({"name":"draw","icons":[{"src":"https://x/\uDB40\uDC67"}],"inputSchema":{"type":"object",)"
      R"("description":"x\u001B[31my","properties":{"uri":{"description":"a\u202Eb"},)"
      R"("src":{"description":"c\u202Ed"}}}})");
}

// Without tags, direction marks and controls.
void expect_clean(const json::Value& shown, const std::string& where) {
  const std::string text = json::to_text(shown.view());
  for (const char* const hidden :
       {"\U000E0067", "\u202E", "\x1B", "\\u001b", "\\u001B", "\\uDB40", "\\udb40"}) {
    EXPECT_THAT(text, Not(HasSubstr(hidden))) << where;
  }
}

constexpr const char* kLists[] = {"tools/list", "resources/list", "resources/templates/list",
                                  "prompts/list"};

TEST(HiddenListText, is_removed_from_every_list_of_a_single_upstream) {
  Meeting meeting(in_front_of(with_hidden_lists()));
  for (const char* const list : kLists) {
    expect_clean(meeting.ask(list, "{}"), list);
    expect_clean(meeting.ask(list, "{}"), list);
  }
  EXPECT_THAT(json::to_text(meeting.ask("prompts/list", "{}").view()),
              HasSubstr(R"("description":"x[31my")"));
  EXPECT_GE(std::ranges::count(meeting.lines, "hidden_text", &serve::LogLine::event), 1);
}

TEST(HiddenListText, is_removed_from_every_list_of_several_upstreams) {
  Settings settings = in_front_of(with_hidden_lists("one"));
  settings.upstreams.push_back(with_hidden_lists("two"));
  Meeting meeting(std::move(settings));
  for (const char* const list : kLists) expect_clean(meeting.ask(list, "{}"), list);
}

TEST(HiddenListText, is_removed_from_the_schema_that_the_tool_server_shows) {
  Meeting meeting(in_front_of(with_hidden_lists()));
  meeting.tool_names();
  const json::Value shown = meeting.call("server", R"({"action":"schema","tool":"draw"})");
  expect_clean(shown, "schema");
  EXPECT_THAT(json::to_text(shown.view()), HasSubstr("x[31my"));
  expect_clean(meeting.call("server", R"({"action":"tools"})"), "tools");
}

TEST(HiddenServerText, is_removed_from_instructions_and_reported) {
  Meeting meeting(
      in_front_of(with_environment(upstream(), "ENFOLD_TEST_SAYS", "o\u200Bb\u202Eey")));
  EXPECT_THAT(json::to_text(meeting.greeting.view()), HasSubstr("obey"));
  EXPECT_THAT(json::to_text(meeting.greeting.view()), Not(HasSubstr("\u200B")));
  EXPECT_EQ(std::ranges::count(meeting.lines, "hidden_text", &serve::LogLine::event), 1);
}

TEST(HiddenToolText, gives_a_second_tool_of_a_name_no_way_to_be_called) {
  UpstreamSettings one = with_environment(
      upstream(), "ENFOLD_TEST_TOOL", R"({"name":"echo\u200B","inputSchema":{"type":"object"}})");
  one.allow_unlisted_tools = false;
  Meeting meeting(in_front_of(std::move(one)));
  meeting.tool_names();
  EXPECT_THAT(json::to_text(meeting.call("echo\u200B").view()),
              Not(HasSubstr("Unknown tool: echo\u200B")));
  EXPECT_THAT(json::to_text(meeting.call("echo").view()), HasSubstr(R"("isError":false)"));
}

// The test's server answers this tool with an error that repeats its name.
TEST(HiddenToolText, does_not_keep_the_tool_from_being_called_by_its_real_name) {
  Meeting meeting(in_front_of(hiding()));
  meeting.tool_names();
  EXPECT_THAT(json::to_text(meeting.call("delete_all").view()),
              HasSubstr("Unknown tool: de\u200Blete_all"));
}

TEST(HiddenToolText, does_not_get_past_a_pattern_that_denies_the_tool) {
  UpstreamSettings one = hiding();
  one.tools_deny = {"delete_*"};
  Meeting meeting(in_front_of(std::move(one)));
  EXPECT_THAT(meeting.tool_names(), Not(Contains(HasSubstr("lete"))));
  for (const char* const name : {"delete_all", "de\u200Blete_all"}) {
    EXPECT_THAT(json::to_text(meeting.call(name).view()), Not(HasSubstr("Unknown tool: de\u200B")))
        << name;
  }
}

}  // namespace
}  // namespace enfold::gateway
