// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/rules.h"
#include "enfold/json/write.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace enfold::check {
namespace {

std::string made_up(const std::string& schema) {
  const auto made = sample_arguments(json::parse_own(schema));
  return made ? json::to_text(made->view()) : "(nothing)";
}

std::string with(const std::string& property) {
  return made_up(
      fmt::format(R"({{"type":"object","properties":{{"a":{}}},"required":["a"]}})", property));
}

TEST(MadeUpArguments, are_the_least_that_the_schema_accepts) {
  struct Case {
    const char* name;
    const char* property;
    const char* want;
  };
  const Case cases[] = {
      {"a text", R"({"type":"string"})", R"({"a":"example"})"},
      {"a default", R"({"type":"string","default":"x"})", R"({"a":"x"})"},
      {"one of several", R"({"enum":["b","c"]})", R"({"a":"b"})"},
      {"an example", R"({"type":"string","pattern":"^z+$","examples":["zz"]})", R"({"a":"zz"})"},
      {"a constant", R"({"const":7})", R"({"a":7})"},
      {"a date", R"({"type":"string","format":"date"})", R"({"a":"2026-01-31"})"},
      {"a long text", R"({"type":"string","minLength":9})", R"({"a":"examplexx"})"},
      {"a short text", R"({"type":"string","maxLength":2})", R"({"a":"ex"})"},
      {"an integer", R"({"type":"integer"})", R"({"a":1})"},
      {"an integer from five", R"({"type":"integer","minimum":5})", R"({"a":5})"},
      {"an integer above five", R"({"type":"integer","exclusiveMinimum":5})", R"({"a":6})"},
      {"an integer below zero", R"({"type":"integer","maximum":-3})", R"({"a":-3})"},
      {"a multiple", R"({"type":"integer","multipleOf":10})", R"({"a":10})"},
      {"a step too small to take", R"({"type":"number","multipleOf":1e-320})", R"({"a":1})"},
      {"beyond all integers", R"({"type":"integer","minimum":1e300})", R"({"a":1e+300})"},
      {"a boolean", R"({"type":"boolean"})", R"({"a":false})"},
      {"an empty list", R"({"type":"array","items":{"type":"string"}})", R"({"a":[]})"},
      {"a list of two", R"({"type":"array","items":{"type":"integer"},"minItems":2})",
       R"({"a":[1,1]})"},
      {"an object inside",
       R"({"type":"object","properties":{"b":{"type":"boolean"},"c":{}},"required":["b"]})",
       R"({"a":{"b":false}})"},
      {"one of several types", R"({"type":["null","integer"]})", R"({"a":1})"},
      {"any of", R"({"anyOf":[{"type":"integer"},{"type":"null"}]})", R"({"a":1})"},
      {"anything", R"({})", R"({"a":"example"})"},
      {"a pattern", R"({"type":"string","pattern":"^z+$"})", R"({"a":"z"})"},
      {"a pattern with a length", R"({"type":"string","pattern":"^z+$","minLength":5})",
       R"({"a":"zzzzz"})"},
      {"a pattern that is not anchored", R"({"pattern":"[A-Z]{2}-\\d+"})", R"({"a":"AA-1"})"},
      {"a format that the pattern narrows",
       R"({"type":"string","format":"date","pattern":"^20\\d\\d-"})", R"({"a":"2026-01-31"})"},
      {"a pattern that cannot be checked", R"({"type":"string","pattern":"^(?=.*z)a+$"})",
       R"({"a":"example"})"},
      {"an example before the default", R"({"type":"string","default":"d","examples":["e"]})",
       R"({"a":"e"})"},
      {"an example that the schema refuses", R"({"type":"integer","examples":["x",4]})",
       R"({"a":4})"},
      {"a default that the schema refuses", R"({"type":"integer","default":"x","minimum":3})",
       R"({"a":3})"},
      {"between two bounds", R"({"exclusiveMinimum":2,"exclusiveMaximum":3})", R"({"a":2.5})"},
      {"a multiple below a bound", R"({"type":"integer","multipleOf":7,"maximum":-1})",
       R"({"a":-7})"},
      {"different items",
       R"({"type":"array","items":{"enum":["x","y"]},"minItems":2,"uniqueItems":true})",
       R"({"a":["x","y"]})"},
      {"different numbers",
       R"({"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true})",
       R"({"a":[1,2,3]})"},
      {"different texts",
       R"({"type":"array","items":{"type":"string"},"minItems":2,"uniqueItems":true})",
       R"({"a":["example","2example"]})"},
      {"different dates",
       R"({"type":"array","items":{"format":"date"},"minItems":3,"uniqueItems":true})",
       R"({"a":["2026-01-31","2001-01-30","2002-01-30"]})"},
      {"different addresses",
       R"({"type":"array","items":{"format":"ipv4"},"minItems":2,"uniqueItems":true})",
       R"({"a":["192.0.2.1","10.100.101.1"]})"},
      {"different texts of a pattern",
       R"({"type":"array","items":{"pattern":"^z+$"},"minItems":2,"uniqueItems":true})",
       R"({"a":["z","zz"]})"},
      {"an item that must be there", R"({"type":"array","contains":{"const":9}})", R"({"a":[9]})"},
      {"the second of two", R"({"type":"object","anyOf":[false,{"required":["b"]}]})",
       R"({"a":{"b":"example"}})"},
      {"all of", R"({"allOf":[{"type":"integer","minimum":4},{"multipleOf":3}]})", R"({"a":6})"},
      {"members in number", R"({"type":"object","minProperties":1,"properties":{"z":{}}})",
       R"({"a":{"z":"example"}})"},
      {"what nothing meets", R"({"allOf":[{"type":"integer"},{"type":"string"}]})", "(nothing)"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(with(one.property), one.want);
  }
}

TEST(SampleArguments, are_found_for_long_lists_of_different_texts_of_a_format) {
  for (const char* format :
       {"date", "date-time", "time", "duration", "email", "idn-email", "uri", "iri",
        "uri-reference", "uri-template", "uuid", "ipv4", "ipv6", "hostname", "idn-hostname",
        "json-pointer", "regex", "byte", "unknown"}) {
    EXPECT_NE(with(fmt::format(R"({{"type":"array","items":{{"type":"string","format":"{}"}},)"
                               R"("minItems":40,"uniqueItems":true}})",
                               format)),
              "(nothing)")
        << format;
  }
}

TEST(MadeUpArguments, follow_references_and_leave_out_what_is_not_required) {
  EXPECT_EQ(made_up(R"({"type":"object","properties":{"a":{"$ref":"#/$defs/id"},"b":{}},)"
                    R"("required":["a"],"$defs":{"id":{"type":"integer"}}})"),
            R"({"a":1})");
  EXPECT_EQ(made_up(R"({"type":"object"})"), "{}");
  EXPECT_EQ(
      made_up(R"({"type":"object","properties":{"a":{"$ref":"#/properties/a"}},"required":["a"]})"),
      "(nothing)")
      << "a schema that leads to itself has an end";
}

}  // namespace
}  // namespace enfold::check
