// SPDX-License-Identifier: Apache-2.0
// Schemas that are small to send and dear to compile or to check.
#include "enfold/json/write.h"
#include "enfold/schema/schema.h"
#include "tests/gateway/meeting.h"

#include <algorithm>
#include <ctime>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

// Generous, because other tests run at the same time; the attacks took from one second to minutes.
constexpr double kMostSeconds = 0.8;

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// 900 patterns of 60 to 99 letters of any script: 20 KB that took 41 s and 721 MB.
std::string many_large_patterns() {
  std::string members;
  for (int i = 0; i < 900; ++i) {
    members += fmt::format(R"({}"\\p{{L}}{{{}}}x{}":{{}})", i == 0 ? "" : ",", 60 + i % 40, i);
  }
  return R"({"type":"object","patternProperties":{)" + members + "}}";
}

std::string patterns(const std::string& pattern, int count) {
  std::string members;
  for (int i = 0; i < count; ++i) {
    members +=
        fmt::format(R"({}{}:{{}})", i == 0 ? "" : ",", json::quote(pattern + std::to_string(i)));
  }
  return R"({"patternProperties":{)" + members + "}}";
}

std::string references_to_distant_names() {
  std::string refs;
  std::string names;
  for (int i = 0; i < 2'500; ++i) {
    refs += fmt::format(R"({}{{"$ref":"#/$defs/z{}"}})", i == 0 ? "" : ",", i);
  }
  for (int i = 0; i < 5'000; ++i) names += fmt::format(R"({}"z{}":{{}})", i == 0 ? "" : ",", i);
  return R"({"allOf":[)" + refs + R"(],"$defs":{)" + names + "}}";
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

TEST(HostileSchema, compiles_in_bounded_time_or_is_refused) {
  const struct {
    const char* what;
    std::string schema;
  } rows[] = {
      {"letters", many_large_patterns()},
      {"one long repeat", patterns("\\p{L}{1000}", 1)},
      {"properties in one class", patterns("[" + repeated("\\p{L}\\P{N}", 4'000) + "]", 4)},
      {"classes in sequence", patterns(repeated("\\p{L}?", 300), 20)},
      {"nested repeats", patterns("((a{0,30}){0,30}b?){0,20}", 50)},
      {"alternatives", patterns(repeated("[^ab]c|", 3'000), 30)},
      {"optional characters", patterns(repeated("a?", 9'000), 6)},
      {"empty loops", patterns(repeated("(?:a*)*", 3'000), 10)},
      {"many patterns", patterns("^[^ ]{1,30}$", 4'000)},
      {"references", references_to_distant_names()},
      {"subschemas", R"({"allOf":[)" + repeated("{},", 40'000) + "{}]}"},
      {"levels", repeated(R"({"not":)", 400) + "{}" + repeated("}", 400)},
  };
  for (const auto& row : rows) {
    const json::Value schema = json::parse_own(row.schema);
    const double before = cpu_seconds();
    const Result<schema::Schema> compiled = schema::Schema::compile(schema);
    const double seconds = cpu_seconds() - before;
    EXPECT_LT(seconds, kMostSeconds) << row.what;
    EXPECT_TRUE(compiled || compiled.error().code != ErrorCode::invalid_input) << row.what;
    RecordProperty(row.what, fmt::format("{:.3f} s, {}", seconds, compiled ? "used" : "refused"));
  }
}

TEST(HostileSchema, that_was_accepted_checks_in_bounded_time) {
  std::string text;
  for (unsigned i = 0, bits = 1; i < 400'000; ++i, bits = bits * 1'103'515'245U + 12'345U) {
    text += (bits >> 16 & 1U) != 0 ? 'a' : 'b';
  }
  for (const char* const pattern : {"a[^x]{900}y", "(?:a|b)*a(?:a|b){2000}y", "a\\p{L}{60}y"}) {
    const auto schema = schema::Schema::compile(
        json::parse_own(fmt::format(R"({{"pattern":{}}})", json::quote(pattern))));
    ASSERT_TRUE(schema) << schema.error().message;
    const json::Value instance = json::parse_own(json::quote(text));
    const double before = cpu_seconds();
    const Result<bool> accepted = schema->accepts(instance.view(), {.schema_steps = 2'000'000});
    EXPECT_LT(cpu_seconds() - before, kMostSeconds) << pattern;
    EXPECT_FALSE(accepted.has_value() && *accepted);
  }
}

// A schema of `levels` definitions, each a choice between two times the next one.
std::string choices(const std::string& keyword, int levels, const std::string& last) {
  std::string definitions;
  for (int i = 0; i < levels; ++i) {
    definitions +=
        fmt::format(R"("d{0}":{{"{2}":[{{"$ref":"#/$defs/d{1}"}},{{"$ref":"#/$defs/d{1}"}}]}},)", i,
                    i + 1, keyword);
  }
  return fmt::format(R"({{"type":"object","$ref":"#/$defs/d0","$defs":{{{}"d{}":{}}}}})",
                     definitions, levels, last);
}

// Half a second each, for an answer of a few bytes.
TEST(HostileSchema, of_nested_choices_is_given_up_soon) {
  const std::string nested =
      R"({"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"properties":{"c":{"$ref":"#/$defs/n"}}},)"
      R"({"properties":{"c":{"$ref":"#/$defs/n"}}}],"unevaluatedProperties":false}}})";
  const std::string deep = repeated(R"({"c":)", 40) + "{}" + repeated("}", 40);
  for (const std::string& text : {choices("anyOf", 40, R"({"required":["x"]})"),
                                  choices("oneOf", 40, R"({"type":"object"})"), nested}) {
    const auto schema = schema::Schema::compile(json::parse_own(text));
    ASSERT_TRUE(schema) << schema.error().message;
    const Result<bool> accepted = schema->accepts(json::parse_own(deep).view());
    ASSERT_FALSE(accepted) << text;
    EXPECT_EQ(accepted.error().code, ErrorCode::limit_exceeded);
    EXPECT_THAT(accepted.error().message, ::testing::HasSubstr("more than 503"));
  }
}

TEST(HostileSchema, that_cannot_be_checked_does_not_count_as_met) {
  for (const auto check : {OutputCheck::warn, OutputCheck::strict}) {
    Settings settings = in_front_of(with_environment(
        upstream(), "ENFOLD_TEST_OUTPUT_SCHEMA", choices("anyOf", 40, R"({"required":["x"]})")));
    settings.output_schema = check;
    Meeting meeting(std::move(settings));
    (void)meeting.tool_names();
    const json::Value result =
        meeting.call("listed", R"({"raw":"{\"content\":[],\"structuredContent\":{\"a\":1}}"})");
    const bool strict = check == OutputCheck::strict;
    EXPECT_EQ(at(result, "/isError"), strict ? "true" : "false");
    EXPECT_THAT(at(result, strict ? "/structuredContent/data/details/violations/0/found"
                                  : "/structuredContent/meta/warnings/0"),
                ::testing::HasSubstr("more work than the limits allow"));
  }
}

TEST(HostileSchema, patterns_that_people_write_are_used) {
  for (const char* const pattern :
       {"^[\\p{L}\\p{N}_-]{1,64}$", "^\\p{Lu}\\p{L}{0,30}$", "^[A-Za-z0-9+/]{0,4096}={0,2}$",
        "^([a-z0-9-]{1,63}\\.){1,8}[a-z]{2,63}$", "^\\S{1,200}$", "^.{1,500}$"}) {
    const auto schema = schema::Schema::compile(
        json::parse_own(fmt::format(R"({{"pattern":{}}})", json::quote(pattern))));
    EXPECT_TRUE(schema) << pattern << ": " << schema.error().message;
  }
}

TEST(HostileSchema, of_a_tool_is_listed_without_its_checks_and_reported_once) {
  Meeting meeting(in_front_of(
      with_environment(upstream(), "ENFOLD_TEST_OUTPUT_SCHEMA", many_large_patterns())));
  const double before = cpu_seconds();
  EXPECT_THAT(meeting.tool_names(), ::testing::Contains("listed"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(at(meeting.call("listed", R"({"raw":"{\"content\":[]}"})"), "/error"), "(none)");
  }
  EXPECT_LT(cpu_seconds() - before, kMostSeconds);
  const auto is_report = [](const serve::LogLine& line) {
    return line.event == "output_schema_unusable" && line.tool == "listed" &&
           line.note.find("too large") != std::string::npos;
  };
  EXPECT_EQ(std::ranges::count_if(meeting.lines, is_report), 1);
}

}  // namespace
}  // namespace enfold::gateway
