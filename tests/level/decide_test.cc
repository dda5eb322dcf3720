// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/decide.h"

#include "enfold/json/write.h"
#include "tests/support/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::level {
namespace {

using ::testing::HasSubstr;

LevelRequest call(const char* arguments, const char* meta) {
  LevelRequest request{.tool = "memory_store"};
  if (arguments != nullptr) request.arguments = json::parse_own(arguments);
  if (meta != nullptr) request.meta = json::parse_own(meta);
  return request;
}

std::string codes(const LevelDecision& decision) {
  std::string all;
  for (const model::Warning& warning : decision.warnings) all += warning.code + " ";
  return all;
}

const LevelConfig kNothing{};
const LevelConfig kGlobal{.default_level = Level::standard};
const LevelConfig kTool{.default_level = Level::standard,
                        .per_tool = {{"memory_store", Level::full}}};
const LevelConfig kOtherTool{.default_level = Level::standard,
                             .per_tool = {{"other", Level::full}}};

TEST(Decide, the_nearest_to_the_call_wins) {
  constexpr const char* kArgument = "argument response_level of the call";
  constexpr const char* kMeta = "_meta dev.enfold/level of the call";
  const struct {
    const char* name;
    const LevelConfig& config;
    const char* arguments;
    const char* meta;
    Level level;
    const char* rule;
    const char* warnings;
  } cases[] = {
      {"nothing said", kNothing, nullptr, nullptr, Level::minimal, "built in", ""},
      {"config", kGlobal, nullptr, nullptr, Level::standard, "configured for all tools", ""},
      {"tool over config", kTool, nullptr, nullptr, Level::full,
       "configured for the tool memory_store", ""},
      {"another tool's config", kOtherTool, nullptr, nullptr, Level::standard,
       "configured for all tools", ""},
      {"meta over tool", kTool, "{}", R"({"dev.enfold/level":"minimal"})", Level::minimal, kMeta,
       ""},
      {"explicit standard in meta counts", kTool, nullptr, R"({"dev.enfold/level":"standard"})",
       Level::standard, kMeta, ""},
      {"argument over meta", kTool, R"({"response_level":"standard"})",
       R"({"dev.enfold/level":"full"})", Level::standard, kArgument, ""},
      {"argument over tool", kTool, R"({"response_level":"minimal"})", nullptr, Level::minimal,
       kArgument, ""},
      {"full", kNothing, R"({"response_level":"full"})", nullptr, Level::full, kArgument, ""},
      {"rich", kNothing, R"({"rich_response":true})", nullptr, Level::full,
       "argument rich_response of the call", ""},
      {"rich over meta", kNothing, R"({"rich_response":true})", R"({"dev.enfold/level":"minimal"})",
       Level::full, "argument rich_response of the call", ""},
      {"not rich", kGlobal, R"({"rich_response":false})", nullptr, Level::standard,
       "configured for all tools", ""},
      {"level over rich", kNothing, R"({"rich_response":true,"response_level":"standard"})",
       nullptr, Level::standard, kArgument, ""},
      {"old minimal", kTool, R"({"minimal_response":true})", nullptr, Level::minimal,
       "argument minimal_response of the call", "DEPRECATED_FIELD "},
      {"old minimal, off", kTool, R"({"minimal_response":false})", nullptr, Level::full,
       "configured for the tool memory_store", "DEPRECATED_FIELD "},
      {"level over old minimal", kTool, R"({"minimal_response":true,"response_level":"full"})",
       nullptr, Level::full, kArgument, "DEPRECATED_FIELD "},
      {"rich over old minimal", kTool, R"({"minimal_response":true,"rich_response":true})", nullptr,
       Level::full, "argument rich_response of the call", "DEPRECATED_FIELD "},
      {"old minimal over meta", kTool, R"({"minimal_response":true})",
       R"({"dev.enfold/level":"full"})", Level::minimal, "argument minimal_response of the call",
       "DEPRECATED_FIELD "},
      {"null is absent", kGlobal,
       R"({"response_level":null,"rich_response":null,"minimal_response":null})",
       R"({"dev.enfold/level":null})", Level::standard, "configured for all tools", ""},
      {"arguments that are no object", kGlobal, R"(["response_level"])", "3", Level::standard,
       "configured for all tools", ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const LevelDecision decision = determine_response_level(c.config, call(c.arguments, c.meta));
    EXPECT_EQ(decision.level, c.level);
    EXPECT_EQ(decision.rule, c.rule);
    EXPECT_EQ(codes(decision), c.warnings);
  }
}

TEST(Decide, an_invalid_level_is_reported_and_the_next_rule_decides) {
  const struct {
    const char* name;
    const char* arguments;
    const char* meta;
    Level level;
    std::string warnings;
    const char* message;
  } cases[] = {
      {"argument, then meta", R"({"response_level":"huge"})", R"({"dev.enfold/level":"standard"})",
       Level::standard, "INVALID_LEVEL ",
       R"(response_level: expected "minimal", "standard" or "full", found "huge"; it was ignored)"},
      {"both, then tool", R"({"response_level":"Full"})", R"({"dev.enfold/level":""})", Level::full,
       "INVALID_LEVEL INVALID_LEVEL ", R"(found "Full")"},
      {"number", R"({"response_level":2})", nullptr, Level::full, "INVALID_LEVEL ",
       "found a value of type number"},
      {"rich as text", R"({"rich_response":"yes"})", R"({"dev.enfold/level":"minimal"})",
       Level::minimal, "INVALID_LEVEL ", R"(rich_response: expected true or false, found "yes")"},
      {"old minimal as text", R"({"minimal_response":"true"})", nullptr, Level::full,
       "DEPRECATED_FIELD INVALID_LEVEL ", "minimal_response is deprecated"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const LevelDecision decision = determine_response_level(kTool, call(c.arguments, c.meta));
    EXPECT_EQ(decision.level, c.level);
    EXPECT_EQ(codes(decision), c.warnings);
    ASSERT_FALSE(decision.warnings.empty());
    EXPECT_THAT(decision.warnings.front().message, HasSubstr(c.message));
  }
}

TEST(Decide, warnings_say_how_bad_and_what_is_allowed) {
  const LevelDecision decision = determine_response_level(
      kNothing, call(R"({"minimal_response":true,"response_level":"x"})", nullptr));
  ASSERT_EQ(codes(decision), "DEPRECATED_FIELD INVALID_LEVEL ");
  EXPECT_EQ(decision.warnings[0].severity, model::Severity::info);
  EXPECT_EQ(decision.warnings[0].context,
            json::parse_own(R"({"field":"minimal_response","use":"response_level"})"));
  EXPECT_EQ(decision.warnings[1].severity, model::Severity::warning);
  EXPECT_EQ(
      decision.warnings[1].context,
      json::parse_own(R"({"field":"response_level","allowed":["minimal","standard","full"]})"));
}

TEST(Decide, a_flag_that_is_no_boolean_is_reported_with_what_is_allowed) {
  for (const std::string field : {"rich_response", "minimal_response"}) {
    const LevelDecision decision =
        determine_response_level(kNothing, call(("{\"" + field + "\":1}").c_str(), nullptr));
    ASSERT_FALSE(decision.warnings.empty());
    EXPECT_EQ(decision.warnings.back().message,
              field + ": expected true or false, found a value of type number; it was ignored");
    EXPECT_EQ(decision.warnings.back().context,
              json::parse_own("{\"field\":\"" + field + "\",\"allowed\":[true,false]}"));
  }
}

TEST(Decide, a_long_invalid_level_is_quoted_in_part) {
  const std::string arguments = R"({"response_level":")" + std::string(5000, 'x') + R"("})";
  const LevelDecision decision =
      determine_response_level(kNothing, call(arguments.c_str(), nullptr));
  ASSERT_EQ(decision.warnings.size(), 1U);
  EXPECT_LT(decision.warnings[0].message.size(), 200U);
}

// All sources at once: the decision is that of the first source in the stated order that speaks.
TEST(Decide, the_order_of_precedence_holds_for_every_combination) {
  enfold::testing::check_property(
      "level_precedence", enfold::testing::property_cases(500, 20000), [] {
        const auto source = rc::gen::inRange(0, 4);  // 3: silent
        const int argument = *source;
        const int meta = *source;
        const int tool = *source;
        const int global = *source;
        const bool rich = *rc::gen::arbitrary<bool>();
        const bool old_minimal = *rc::gen::arbitrary<bool>();
        json::Writer arguments;
        arguments.begin_object();
        if (argument < 3) arguments.member("response_level", model::name(Level{argument}));
        if (rich) arguments.member("rich_response", true);
        if (old_minimal) arguments.member("minimal_response", true);
        arguments.end_object();
        LevelRequest request{.tool = "t", .arguments = std::move(arguments).finish_value()};
        if (meta < 3) {
          json::Writer writer;
          writer.begin_object().member("dev.enfold/level", model::name(Level{meta})).end_object();
          request.meta = std::move(writer).finish_value();
        }
        LevelConfig config;
        if (tool < 3) config.per_tool["t"] = Level{tool};
        if (global < 3) config.default_level = Level{global};

        const int expected = argument < 3  ? argument
                             : rich        ? 2
                             : old_minimal ? 0
                             : meta < 3    ? meta
                             : tool < 3    ? tool
                             : global < 3  ? global
                                           : 0;
        const LevelDecision decision = determine_response_level(config, request);
        RC_ASSERT(decision.level == Level{expected});
        RC_ASSERT(decision.warnings.size() == (old_minimal ? 1U : 0U));
      });
}

}  // namespace
}  // namespace enfold::level
