// SPDX-License-Identifier: Apache-2.0
// Sample arguments for schemas that can be met: there are some, and the schema accepts them.
#include "enfold/check/pattern_example.h"
#include "enfold/check/rules.h"
#include "enfold/json/write.h"
#include "enfold/schema/schema.h"
#include "tests/support/cases.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

namespace enfold::check {
namespace {

using testing::check_property;
using testing::property_cases;

int below(int limit) { return *rc::gen::inRange(0, limit); }

bool is_accepted(const json::Value& schema, const json::Value& value) {
  const auto compiled = schema::Schema::compile(schema);
  return compiled && compiled->accepts(value.view()).value_or(false);
}

// What authors write, from the schemas of published servers.
const std::vector<std::string> kPatterns{
    R"(^[A-Z]{3}-\\d{4}$)",
    R"(^#[0-9a-fA-F]{6}$)",
    R"(^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$)",
    R"(^[a-z0-9]+(?:-[a-z0-9]+)*$)",
    R"(^\\+?[1-9]\\d{6,14}$)",
    R"(^(GET|POST|PUT)$)",
    R"(^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$)",
    R"(^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$)",
    R"(^[\\w.-]+/[\\w.-]+$)",
    R"(^\\/(?:[^\\/]+\\/)*[^\\/]*$)",
    R"(^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$)",
    R"(\\S)",
    R"(^\\p{Lu}\\p{L}*$)",
    R"(^(?<year>\\d{4})/(?<week>W\\d\\d)$)",
    R"(^[\\u00e0-\\u00ff]+$)",
    R"(^0x[\\dA-F]+$)"};

TEST(PatternExample, matches_what_authors_write) {
  for (const std::string& pattern : kPatterns) {
    const json::Value schema =
        json::parse_own(fmt::format(R"({{"type":"string","pattern":"{}"}})", pattern));
    const auto made = pattern_example(schema.view().find("pattern")->string());
    ASSERT_TRUE(made) << pattern;
    json::Writer writer;
    writer.string(*made);
    EXPECT_TRUE(is_accepted(schema, std::move(writer).finish_value())) << pattern << " " << *made;
  }
}

TEST(PatternExample, gives_none_for_what_it_cannot_express) {
  for (const char* pattern :
       {"(?=a)", "(?!a)b", "(a", "[a", "a)", "(a)\\1", "a{2000}", "\\p{Foo}"}) {
    EXPECT_FALSE(pattern_example(pattern)) << pattern;
  }
}

std::string draw_pattern(int depth) {
  static const std::vector<std::string> atoms{"a",      "[b-d]", "\\d", "\\w",      "[^x]", ".",
                                              "[\\d_]", "\\.",   "-",   "[A-Z0-9]", "\\s"};
  static const std::vector<std::string> repeats{"", "", "", "+", "*", "?", "{2}", "{1,3}", "{2,}?"};
  std::string out;
  for (int parts = 1 + below(3); parts > 0; --parts) {
    const bool nests = depth > 0 && below(3) == 0;
    const std::string inside = nests ? draw_pattern(depth - 1) : "";
    out += nests ? (below(2) == 0 ? "(" : "(?:") + inside + "|" + draw_pattern(0) + ")"
                 : atoms[static_cast<std::size_t>(below(static_cast<int>(atoms.size())))];
    out += repeats[static_cast<std::size_t>(below(static_cast<int>(repeats.size())))];
  }
  return out;
}

TEST(PatternExample, matches_every_pattern_that_it_can_express) {
  check_property("patterns", property_cases(2'000, 100'000), [] {
    const std::string pattern = "^" + draw_pattern(2) + "$";
    json::Writer writer;
    writer.begin_object().member("type", "string").member("pattern", pattern).end_object();
    const json::Value schema = std::move(writer).finish_value();
    for (const std::size_t more : {0, 1, 5}) {
      const auto made = pattern_example(pattern, more);
      if (!made) continue;  // too long
      json::Writer text;
      text.string(*made);
      if (!is_accepted(schema, std::move(text).finish_value())) {
        RC_FAIL(pattern + " does not match " + *made);
      }
    }
  });
}

// A schema that some value meets.
std::string draw_schema(int depth) {
  switch (below(depth > 0 ? 12 : 7)) {
    case 0: {
      const int low = below(200) - 100;
      return fmt::format(R"({{"type":"integer","minimum":{},"maximum":{}}})", low, low + below(9));
    }
    case 1: {
      const int step = 1 + below(9);
      return fmt::format(R"({{"type":"integer","multipleOf":{},"exclusiveMinimum":{}}})", step,
                         below(100) - 50);
    }
    case 2: {
      const int low = below(30);
      return fmt::format(R"({{"type":"string","minLength":{},"maxLength":{}}})", low,
                         low + below(9));
    }
    case 3:
      return fmt::format(
          R"({{"type":"string","pattern":"{}"}})",
          kPatterns[static_cast<std::size_t>(below(static_cast<int>(kPatterns.size())))]);
    case 4: {
      const int least = 1 + below(40);
      return fmt::format(R"({{"type":"string","pattern":"^[a-z]+$","minLength":{}}})", least);
    }
    case 5: return R"({"enum":["x",7,null],"default":"not one of them"})";
    case 6: return R"({"type":["null","number"],"examples":["wrong",2.5]})";
    case 7:
      return fmt::format(R"({{"type":"array","items":{},"minItems":{}}})", draw_schema(depth - 1),
                         below(4));
    case 8:
      return fmt::format(
          R"({{"type":"object","properties":{{"p":{},"q":{}}},"required":["q"],"additionalProperties":false}})",
          draw_schema(depth - 1), draw_schema(depth - 1));
    case 9:
      return fmt::format(R"({{"anyOf":[{},{}]}})", draw_schema(depth - 1), draw_schema(depth - 1));
    case 10: return R"({"$ref":"#/$defs/known"})";
    default:
      return fmt::format(
          R"({{"type":"object","properties":{{"k":{{"const":"a"}}}},"allOf":[{{"required":["k"]}},{{"properties":{{"m":{}}},"required":["m"]}}]}})",
          draw_schema(depth - 1));
  }
}

TEST(SampleArguments, exist_and_are_valid_for_schemas_that_can_be_met) {
  check_property("samples", property_cases(1'000, 50'000), [] {
    const std::string text = fmt::format(
        R"({{"type":"object","properties":{{"a":{},"b":{}}},"required":["a","b"],"$defs":{{"known":{{"type":"integer","minimum":3}}}}}})",
        draw_schema(3), draw_schema(3));
    const json::Value schema = json::parse_own(text);
    const auto made = sample_arguments(schema);
    if (!made) RC_FAIL("nothing for " + text);
    if (!is_accepted(schema, *made)) RC_FAIL(json::to_text(made->view()) + " for " + text);
  });
}

TEST(SampleArguments, exist_and_are_valid_for_every_tool_of_published_servers) {
  std::size_t tools = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(ENFOLD_SOURCE_DIR) / "tests/golden/toolslists")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const auto document = json::parse(std::string{std::istreambuf_iterator<char>(in), {}});
    ASSERT_TRUE(document) << entry.path();
    json::View list = document->root();
    if (const auto result = list.find("result")) list = *result;
    if (const auto inside = list.find("tools")) list = *inside;
    ASSERT_TRUE(list.is_array()) << entry.path();
    for (const json::View tool : list.items()) {
      const json::Value schema(*tool.find("inputSchema"));
      const auto made = sample_arguments(schema);
      ASSERT_TRUE(made) << entry.path() << json::to_text(tool);
      EXPECT_TRUE(is_accepted(schema, *made)) << entry.path() << json::to_text(tool);
      ++tools;
    }
  }
  EXPECT_GT(tools, 50U);
}

}  // namespace
}  // namespace enfold::check
