// SPDX-License-Identifier: Apache-2.0
// Which tools clients see: selection, the cap of a client, bounded descriptions, lists that nobody
// waits for any more.
#include "enfold/gateway/policy/names.h"
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Patterns, match_names) {
  struct Case {
    std::string pattern;
    std::string name;
    bool want;
  };
  const std::vector<Case> cases{
      {"read_file", "read_file", true},
      {"read_file", "read_files", false},
      {"read_*", "read_file", true},
      {"read_*", "read_", true},
      {"read_*", "reread_x", false},
      {"*", "", true},
      {"*", "anything", true},
      {"", "", true},
      {"", "a", false},
      {"?", "a", true},
      {"?", "", false},
      {"*_file", "write_file", true},
      {"*a*b*", "xxaxxbxx", true},
      {"*a*b*", "xxbxxaxx", false},
      {"a*a", "a", false},
      {"a*a", "aa", true},
      {"a?c", "abc", true},
      {"**", "x", true},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(matches(each.pattern, each.name), each.want) << each.pattern << " " << each.name;
  }
}

TEST(Descriptions, are_cut_at_words_and_never_inside_a_character) {
  EXPECT_EQ(shortened("short", 64), "short");
  EXPECT_EQ(shortened("12345", 5), "12345");
  EXPECT_EQ(shortened("one two three four", 12), "one two…");
  EXPECT_EQ(shortened("onetwothreefour", 6), "onetw…");
  EXPECT_EQ(shortened("ééééé", 5), "ééééé");
  EXPECT_EQ(shortened("éééééé", 5), "éééé…");
}

TEST(Selection, hides_tools_from_lists_and_calls) {
  for (const char* const contract : {"response-v2", "none"}) {
    UpstreamSettings one = upstream();
    one.tools_allow = {"e*", "l*"};
    one.tools_deny = {"la?t"};
    Meeting meeting(in_front_of(std::move(one), contract));
    const std::vector<std::string> names = meeting.tool_names();
    EXPECT_EQ(names[0], "echo") << contract;
    EXPECT_EQ(names[1], "listed");
    EXPECT_EQ(names.size(), contract == std::string("none") ? 2U : 4U);
    EXPECT_EQ(at(meeting.call("last"), "/code"), "-32602");
    EXPECT_THAT(at(meeting.call("result", R"({"raw":"{}"})"), "/message"), HasSubstr("result"));
    EXPECT_EQ(at(meeting.call("echo"), "/code"), "(none)") << "what is shown may be called";
  }
}

TEST(Selection, is_that_of_each_upstream) {
  Settings settings = in_front_of(upstream("sessions", "a"));
  settings.upstreams.push_back(upstream("sessions", "b"));
  settings.upstreams[1].tools_allow = {"echo"};
  Meeting meeting(std::move(settings));
  EXPECT_THAT(meeting.tool_names(), ElementsAre("a__echo", "a__result", "a__listed", "a__last",
                                                "b__echo", "server", "enfold_fetch"));
  EXPECT_EQ(at(meeting.call("b__last"), "/code"), "-32602");
}

TEST(Selection, of_a_reload_decides_which_tools_may_be_called) {
  const auto with = [](std::vector<std::string> allow, std::vector<std::string> deny) {
    UpstreamSettings one = upstream();
    one.allow_unlisted_tools = false;
    one.tools_allow = std::move(allow);
    one.tools_deny = std::move(deny);
    return in_front_of(std::move(one));
  };
  Meeting meeting(with({}, {"echo"}));
  EXPECT_THAT(meeting.tool_names(),
              ElementsAre("result", "listed", "last", "server", "enfold_fetch"));
  EXPECT_EQ(at(meeting.call("echo"), "/code"), "-32602");
  for (const Settings& wider : {with({}, {}), with({"echo"}, {})}) {
    meeting.reload(wider);
    EXPECT_THAT(meeting.tool_names(), ::testing::Contains("echo"));
    EXPECT_EQ(at(meeting.call("echo"), "/isError"), "false");
  }
  EXPECT_EQ(at(meeting.call("last"), "/code"), "-32602");
}

TEST(ToolCap, leaves_the_last_tools_out_and_says_so_once) {
  Settings settings = in_front_of(upstream());
  settings.max_tools = 4;
  Meeting meeting(std::move(settings));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(meeting.tool_names(), ElementsAre("echo", "result", "server", "enfold_fetch"));
  }
  std::vector<std::string> notes;
  for (const serve::LogLine& line : meeting.lines) {
    if (line.event == "tools_left_out") notes.push_back(line.note);
  }
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("listed, last"));
}

TEST(ToolCap, is_that_of_the_client) {
  static const token::Profile small = [] {
    token::Profile profile = **token::find_profile("cursor");
    EXPECT_EQ(profile.max_tools, 40U);
    profile.max_tools = 5;
    return profile;
  }();
  Settings settings = in_front_of(upstream());
  settings.answers.client_profiles["tester"] = &small;
  Meeting meeting(settings);
  EXPECT_EQ(meeting.tool_names().size(), 5U);
  static const token::Profile smaller = [] {
    token::Profile profile = small;
    profile.max_tools = 3;
    return profile;
  }();
  settings.answers.contract = "none";
  settings.answers.client_profiles["tester"] = &smaller;
  Meeting bare(std::move(settings));
  EXPECT_EQ(names_in(bare.ask("tools/list", "{}")).size(), 3U);
}

TEST(ToolDescriptions, are_bounded_in_lists) {
  for (const char* const contract : {"response-v2", "none"}) {
    Settings settings = in_front_of(upstream(), contract);
    settings.max_description_length = 64;
    Meeting meeting(std::move(settings));
    const json::Value list = meeting.ask("tools/list", "{}");
    const std::string long_one = at(list, "/tools/1/description");
    EXPECT_THAT(long_one, HasSubstr("…")) << contract;
    EXPECT_LE(long_one.size(), 70U);
  }
}

TEST(List, passes_byte_for_byte_without_a_contract_where_nothing_is_too_long) {
  UpstreamSettings one = upstream();
  std::get_if<client::StdioTarget>(&one.target)->command.emplace_back("short");
  Meeting plain(in_front_of(one, "none"));
  (void)plain.ask("tools/list", "{}");
  Settings settings = in_front_of(one, "none");
  settings.max_description_length = 4'000;
  settings.max_tools = 4;
  Meeting bounded(std::move(settings));
  (void)bounded.ask("tools/list", "{}");
  EXPECT_EQ(bounded.last_bytes(), plain.last_bytes());
}

TEST(List, has_tools_as_their_server_said_them_where_there_is_no_contract_and_room) {
  Meeting plain(in_front_of(upstream(), "none"));
  const json::Value first_page = plain.ask("tools/list", "{}");
  Settings settings = in_front_of(upstream(), "none");
  settings.max_description_length = 4'000;
  settings.max_tools = 4;
  Meeting bounded(std::move(settings));
  const json::Value whole = bounded.ask("tools/list", "{}");
  for (const char* const tool : {"/tools/0", "/tools/1", "/tools/2"}) {
    EXPECT_EQ(at(whole, tool), at(first_page, tool));
  }
  EXPECT_EQ(names_in(whole).size(), 4U) << "both pages";
}

TEST(SizeHint, is_given_to_the_client_that_honours_it_for_more_than_it_takes_unasked) {
  const auto hints = [](const char* client, std::optional<std::size_t> characters) {
    Settings settings = in_front_of(upstream());
    settings.answers.client_profiles["tester"] = *token::find_profile(client);
    if (characters) settings.answers.budget = budget::Budget{50'000, *characters, std::nullopt};
    Meeting meeting(std::move(settings));
    const json::Value list = meeting.ask("tools/list", "{}");
    return at(list, "/tools/0/_meta/anthropic~1maxResultSizeChars") + " " +
           at(list, "/tools/5/_meta/anthropic~1maxResultSizeChars");
  };
  EXPECT_EQ(hints("claude-code", 200'000), "200000 200000");
  EXPECT_EQ(hints("claude-code", 900'000), "500000 500000");
  EXPECT_EQ(hints("claude-code", 40'000), "(none) (none)");
  EXPECT_EQ(hints("claude-code", std::nullopt), "(none) (none)");
  EXPECT_EQ(hints("opencode", 200'000), "(none) (none)");
}

TEST(ListOnItsWay, is_cancelled_upstream_with_its_call) {
  UpstreamSettings one = upstream();
  std::get_if<client::StdioTarget>(&one.target)->command.emplace_back("mute");
  Settings settings = in_front_of(std::move(one));
  settings.answers.allow_none = true;
  Meeting meeting(std::move(settings));
  const int id = meeting.start("tools/list", "{}");
  meeting.say(fmt::format(R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                          R"({{"requestId":{}}}}})",
                          id));
  const json::Value heard = meeting.call("heard", "{}", R"({"dev.enfold/contract":"none"})");
  const std::string all = at(heard, "/content/0/text");
  EXPECT_THAT(all, HasSubstr("tools/list"));
  EXPECT_THAT(all, HasSubstr("notifications/cancelled"));
  EXPECT_FALSE(meeting.answer_to(id).has_value());
}

TEST(ServerTool, lists_the_tools_of_upstreams_too) {
  Settings settings = in_front_of(upstream("sessions", "a"));
  settings.upstreams.push_back(upstream("sessions", "b"));
  settings.upstreams[1].tools_deny = {"l*"};
  Meeting meeting(std::move(settings));
  const json::Value answer = meeting.call("server", R"({"action":"tools"})");
  std::vector<std::string> names;
  const auto tools = json::Pointer::parse("/structuredContent/data/tools")->resolve(answer.view());
  ASSERT_TRUE(tools) << json::to_text(answer.view());
  for (const json::View tool : tools->items()) names.push_back(tool.find("name")->string());
  EXPECT_THAT(names, ElementsAre("a__echo", "a__last", "a__listed", "a__result", "b__echo",
                                 "b__result", "server", "enfold_fetch"));
  const json::Value schema = meeting.call("server", R"({"action":"schema","tool":"a__listed"})");
  EXPECT_EQ(at(schema, "/structuredContent/data/input_schema"), R"({"type":"object"})");
  EXPECT_THAT(at(schema, "/structuredContent/data/output_schema"), HasSubstr("rows"));
  const json::Value list = meeting.ask("tools/list", "{}");
  for (const json::View tool : list->find("tools")->items()) {
    if (!tool.find("name")->equals("a__listed")) continue;
    EXPECT_EQ(at(schema, "/structuredContent/data/output_schema"),
              json::to_text(*tool.find("outputSchema")))
        << "the same as the list announces";
  }
}

// A model that reads both channels would pay twice, and a schema would make its client insist.
TEST(Channels, are_one_for_a_client_whose_model_reads_both) {
  Settings settings = in_front_of(upstream());
  settings.answers.profile = *token::find_profile("copilot");
  Meeting meeting(std::move(settings));
  const json::Value list = meeting.ask("tools/list", "{}");
  for (const json::View tool : list->find("tools")->items()) {
    EXPECT_FALSE(tool.find("outputSchema")) << json::to_text(tool);
  }
  const json::Value result = meeting.result(R"({"content":[],"structuredContent":{"a":1}})");
  EXPECT_FALSE(result->find("structuredContent"));
  EXPECT_THAT(at(result, "/content/0/text"), HasSubstr(R"(\"a\":1)"));
}

TEST(ClientProfiles, are_chosen_by_name_and_version) {
  tools::ServiceSettings settings;
  const token::Profile* const gemini = *token::find_profile("gemini");
  const token::Profile* const codex = *token::find_profile("codex");
  settings.client_profiles = {{"mine", gemini}, {"mine/1.2", codex}};
  const auto chosen = [&](const std::string& name, const std::string& version) {
    mcp::Caller caller;
    caller.client_info =
        json::parse_own(fmt::format(R"({{"name":"{}","version":"{}"}})", name, version));
    return std::string(tools::profile_for(settings, &caller).name);
  };
  EXPECT_EQ(chosen("mine", "1.1"), "gemini");
  EXPECT_EQ(chosen("mine", "1.2"), "codex");
  EXPECT_EQ(chosen("mine", "1.2.9"), "codex");
  EXPECT_EQ(chosen("mine", "1.20"), "gemini");
  EXPECT_EQ(chosen("mine2", "1.2"), "generic");
  EXPECT_EQ(chosen("claude-code", "2.1.325"), "claude-code");
  EXPECT_EQ(tools::profile_for(settings, nullptr).name, "generic");
}

}  // namespace
}  // namespace enfold::gateway
