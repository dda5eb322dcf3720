// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/settings.h"

#include "enfold/json/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::level {
namespace {

using ::testing::HasSubstr;

TEST(Settings, reads_levels_and_projections) {
  const json::Value config = json::parse_own(R"({
    "default_level": "standard",
    "tools": {
      "search": {"level": "minimal", "minimal": {"keep": ["/a"]}, "full": {"drop": ["/c"]}},
      "get": {"level": "full"},
      "list": {}
    }})");
  const Result<Settings> settings = read_settings(config.view());
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->levels.default_level, Level::standard);
  EXPECT_EQ(settings->levels.per_tool, (std::map<std::string, Level, std::less<>>{
                                           {"search", Level::minimal}, {"get", Level::full}}));
  const json::Value payload = json::parse_own(R"({"a":1,"b":2,"c":3})");
  const auto at = [&](std::string_view tool, Level level) {
    return json::to_text(settings->projections.project(payload.view(), tool, level).view());
  };
  EXPECT_EQ(at("search", Level::minimal), R"({"a":1})");
  EXPECT_EQ(at("search", Level::standard), R"({"a":1,"b":2})");
  EXPECT_FALSE(settings->projections.has("get"));
}

TEST(Settings, refuses_what_it_does_not_know_and_says_where) {
  const struct {
    const char* config;
    const char* message;
    const char* where;
  } cases[] = {
      {"[]", "expected an object, found array", ""},
      {R"({"defaultlevel":"full"})", R"(expected default_level or tools, found "defaultlevel")",
       ""},
      {R"({"default_level":"all"})", R"(expected "minimal", "standard" or "full", found "all")",
       "/default_level"},
      {R"({"default_level":3})", "found number", "/default_level"},
      {R"({"tools":[]})", "expected an object of tools by name, found array", "/tools"},
      {R"({"tools":{"a/b":1}})", "expected an object, found number", "/tools/a~1b"},
      {R"({"tools":{"t":{"level":"x"}}})", "expected \"minimal\"", "/tools/t/level"},
      {R"({"tools":{"t":{"keep":[]}}})", "expected level, minimal, standard or full", "/tools/t"},
      {R"({"tools":{"t":{"full":[]}}})", "expected an object with keep and drop", "/tools/t/full"},
      {R"({"tools":{"t":{"full":{"hide":[]}}}})", R"(expected keep or drop, found "hide")",
       "/tools/t/full"},
      {R"({"tools":{"t":{"full":{"keep":"/a"}}}})", "expected an array of patterns",
       "/tools/t/full/keep"},
      {R"({"tools":{"t":{"full":{"drop":["/a",1]}}}})", "expected a pattern, found number",
       "/tools/t/full/drop/1"},
      {R"({"tools":{"t":{"full":{"drop":["a"]}}}})", "beginning with '/'",
       R"(tool "t", level full, drop pattern "a")"},
      {R"({"tools":{"t":{"full":{},"full":{}}}})", "found two", R"(tool "t", level full)"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.config);
    const Result<Settings> settings = read_settings(json::parse_own(c.config).view());
    ASSERT_FALSE(settings);
    EXPECT_THAT(settings.error().message, HasSubstr(c.message));
    EXPECT_EQ(settings.error().where, c.where);
  }
}

}  // namespace
}  // namespace enfold::level
