// SPDX-License-Identifier: Apache-2.0
// What a configuration says about tools, clients, sessions and the archive takes effect.
#include "enfold/gateway/config/settings_from_config.h"
#include "enfold/token/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::gateway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

tools::ConfigResult<ServeSettings> serving(const std::string& text) {
  const auto read = read_config(text, "enfold.toml");
  if (!read) return tl::unexpected(read.error());
  return settings_from_config(*read, ConfigSources::of("enfold.toml"));
}

TEST(ToolConfiguration, takes_effect) {
  const auto made = serving(R"(
session_budget = 200000
archive_resources = true
handles_as_arguments = true
output_schema = "strict"
max_tools = 30
max_description_length = 500
archive = "none"

[client_profiles]
"my-agent" = "claude-code"
"my-agent/0.9" = "codex"

[tools.search]
output_schema = "off"

[upstreams.a]
command = "x"
tools_allow = ["read_*", "list"]
tools_deny = ["*_secret"]
)");
  ASSERT_TRUE(made) << made.error().front().message;
  const Settings& settings = made->settings;
  EXPECT_EQ(settings.session_budget, 200'000U);
  EXPECT_TRUE(settings.archive_resources);
  EXPECT_TRUE(settings.handles_as_arguments);
  EXPECT_EQ(settings.output_check_of(settings.upstreams[0], "anything"), OutputCheck::strict);
  EXPECT_EQ(settings.output_check_of(settings.upstreams[0], "search"), OutputCheck::off);
  EXPECT_EQ(settings.max_tools, 30U);
  EXPECT_EQ(settings.max_description_length, 500U);
  EXPECT_EQ(made->archive, "none");
  EXPECT_EQ(settings.answers.client_profiles.at("my-agent")->name, "claude-code");
  EXPECT_EQ(settings.answers.client_profiles.at("my-agent/0.9")->name, "codex");
  EXPECT_THAT(settings.upstreams[0].tools_allow, ElementsAre("read_*", "list"));
  EXPECT_THAT(settings.upstreams[0].tools_deny, ElementsAre("*_secret"));
}

TEST(ToolConfiguration, is_off_or_mild_where_nothing_is_said) {
  const auto made = serving("[upstreams.a]\ncommand = \"x\"\n");
  ASSERT_TRUE(made);
  const Settings& settings = made->settings;
  EXPECT_FALSE(settings.session_budget || settings.max_tools || settings.max_description_length ||
               settings.archive_resources || settings.handles_as_arguments);
  EXPECT_EQ(settings.output_check_of(settings.upstreams[0], "x"), OutputCheck::warn);
}

TEST(ToolConfiguration, that_cannot_be_meant_is_told_with_its_place) {
  struct Case {
    std::string text;
    std::string want;
  };
  const std::vector<Case> cases{
      {"output_schema = \"loud\"", "warn"},
      {"max_tools = 2", "at least 3"},
      {"session_budget = 10", "at least 1000"},
      {"max_description_length = 10", "at least 64"},
      {"[client_profiles]\nme = \"netscape\"", "netscape"},
      {"[tools.x]\noutput_schema = 1", "expected string"},
  };
  for (const Case& each : cases) {
    const auto made = serving(each.text + "\n[upstreams.a]\ncommand = \"x\"\n");
    ASSERT_FALSE(made) << each.text;
    EXPECT_THAT(made.error().front().message, HasSubstr(each.want)) << each.text;
    EXPECT_THAT(made.error().front().where, HasSubstr("line ")) << each.text;
  }
}

}  // namespace
}  // namespace enfold::gateway
