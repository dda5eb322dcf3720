// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/rules.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::check {
namespace {

using ::testing::HasSubstr;

std::string tool(const std::string& name, const std::string& more) {
  return fmt::format(R"({{"name":"{}","inputSchema":{{"type":"object"}}{}}})", name, more);
}

const std::string kSaid = R"(,"description":"Says hello.")";

struct Case {
  const char* name;
  std::string tool;
  std::vector<std::pair<Rule, Severity>> want;
  const char* says = "";
};

TEST(ToolRules, find_what_clients_refuse) {
  const std::vector<Case> cases{
      {"a good one", tool("greet", kSaid), {}},
      {"all the characters", tool("a.b-c_9", kSaid), {}},
      {"a name with a space",
       tool("say hello", kSaid),
       {{Rule::tool_name, Severity::error}},
       "the name \"say hello\" has characters other than letters"},
      {"no name", tool("", kSaid), {{Rule::tool_name, Severity::error}}},
      {"a name of 64", tool(std::string(64, 'x'), kSaid), {}},
      {"a name of 65",
       tool(std::string(65, 'x'), kSaid),
       {{Rule::tool_name, Severity::warning}},
       "65 characters"},
      {"a name of 129",
       tool(std::string(129, 'x'), kSaid),
       {{Rule::tool_name, Severity::error}},
       "129 characters; the protocol allows at most 128"},
      {"no description", tool("greet", ""), {{Rule::description, Severity::warning}}},
      {"a description of 1,024",
       tool("greet", fmt::format(R"(,"description":"{}")", std::string(1024, 'x'))),
       {}},
      {"a description of 1,025",
       tool("greet", fmt::format(R"(,"description":"{}")", std::string(1025, 'x'))),
       {{Rule::description, Severity::warning}},
       "1,025 characters"},
      {"instructions in tags",
       tool("greet", ",\"description\":\"Says hello.\U000E006F\U000E0062\""),
       {{Rule::description, Severity::error}},
       "a screen does not show"},
      {"a direction mark in a parameter",
       R"({"name":"greet","description":"x","inputSchema":{"type":"object","properties":)"
       R"({"a":{"description":"b\u202Ec"}}}})",
       {{Rule::description, Severity::error}},
       "a screen does not show"},
      {"emoji and Persian",
       tool("greet", ",\"description\":\"\u26A0\uFE0F \u0645\u06CC\u200C\u062E\u0648\u0627\""),
       {}},
      {"an output schema that is none",
       tool("greet", kSaid + R"(,"outputSchema":{"type":7})"),
       {{Rule::schema, Severity::error}},
       "outputSchema"},
      {"an input schema that is none",
       R"({"name":"greet","description":"x","inputSchema":{"type":"object","required":"a"}})",
       {{Rule::schema, Severity::error}},
       "inputSchema"},
      {"an input schema of a list",
       R"({"name":"greet","description":"x","inputSchema":{"type":"array"}})",
       {{Rule::schema, Severity::error}}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const Findings found = check_tool(json::parse_own(one.tool).view());
    std::vector<std::pair<Rule, Severity>> got;
    std::string said;
    for (const Finding& finding : found) {
      got.emplace_back(finding.rule, finding.severity);
      said += finding.what;
    }
    EXPECT_EQ(got, one.want) << said;
    EXPECT_THAT(said, HasSubstr(one.says));
  }
}

TEST(ToolRules, find_two_tools_of_one_name) {
  std::set<std::string> names;
  const json::Value greet = json::parse_own(tool("greet", kSaid));
  EXPECT_TRUE(check_tool(greet.view(), names).empty());
  EXPECT_TRUE(check_tool(json::parse_own(tool("leave", kSaid)).view(), names).empty());
  const Findings found = check_tool(greet.view(), names);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, Rule::tool_name);
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_THAT(found[0].what, HasSubstr("\"greet\""));
}

TEST(Rules, stand_in_the_order_of_their_numbers_with_names_of_their_own) {
  std::size_t index = 0;
  std::vector<std::string_view> names;
  for (const RuleInfo& rule : rules()) {
    EXPECT_EQ(static_cast<std::size_t>(rule.rule), index++);
    EXPECT_EQ(info(rule.rule).name, rule.name);
    EXPECT_THAT(names, ::testing::Not(::testing::Contains(rule.name)));
    names.push_back(rule.name);
  }
}

}  // namespace
}  // namespace enfold::check
