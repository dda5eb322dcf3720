// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/schema.h"

#include <gtest/gtest.h>
#include <string>

namespace enfold::schema {
namespace {

Schema compiled(std::string_view text, const Options& options = {}) {
  auto schema = Schema::compile(json::parse_own(text), options);
  EXPECT_TRUE(schema) << text << ": " << (schema ? "" : schema.error().message);
  return schema ? *schema : *Schema::compile(json::parse_own("true"));
}

Error refused(std::string_view text, const Options& options = {}) {
  const auto schema = Schema::compile(json::parse_own(text), options);
  EXPECT_FALSE(schema) << text;
  return schema ? Error{} : schema.error();
}

Validation check(const Schema& schema, std::string_view instance) {
  const json::Value value = json::parse_own(instance);
  auto validation = schema.validate(*value);
  EXPECT_TRUE(validation) << instance;
  return validation ? *validation : Validation{};
}

TEST(Schema, violations_say_where_what_and_what_instead) {
  const struct {
    std::string schema;
    std::string instance;
    Violation want;
  } rows[] = {
      {R"({"type":"string"})", "3", {"", "schema:#/type", "string", "number 3"}},
      {R"({"type":["string","null"]})",
       "true",
       {"", "schema:#/type", "string or null", "boolean true"}},
      {R"({"type":"integer"})", "1.5", {"", "schema:#/type", "integer", "number 1.5"}},
      {R"({"type":["array","object","integer"]})",
       "null",
       {"", "schema:#/type", "object, array or integer", "null"}},
      {R"({"enum":["a",1,null]})",
       R"("b")",
       {"", "schema:#/enum", R"(one of "a", 1, null)", R"(string "b")"}},
      {R"({"const":{"a":1}})", "[]", {"", "schema:#/const", R"(exactly {"a":1})", "empty array"}},
      {R"({"minItems":1})", "[]", {"", "schema:#/minItems", "at least 1 item", "0 items"}},
      {R"({"maxItems":2})", "[1,2,3]", {"", "schema:#/maxItems", "at most 2 items", "3 items"}},
      {R"({"uniqueItems":true})",
       "[1,2,1.0]",
       {"", "schema:#/uniqueItems", "items that all differ", "items 0 and 2 are equal"}},
      {R"({"contains":{"type":"null"}})",
       "[1]",
       {"", "schema:#/contains", "at least 1 item that \"contains\" describes", "none"}},
      {R"({"contains":true,"maxContains":1})",
       "[1,2]",
       {"", "schema:#/maxContains", "at most 1 item that \"contains\" describes",
        "more than that"}},
      {R"({"items":{"type":"null"}})",
       "[null,{}]",
       {"/1", "schema:#/items/type", "null", "empty object"}},
      {R"({"prefixItems":[true],"items":false})",
       "[1,2]",
       {"/1", "schema:#/items", "no more than 1 item", "item 1"}},
      {R"({"minLength":2})",
       R"("\ud83d\udc32")",
       {"", "schema:#/minLength", "at least 2 characters", "1 character"}},
      {R"({"maxLength":1})",
       R"("ab")",
       {"", "schema:#/maxLength", "at most 1 character", "2 characters"}},
      {R"({"pattern":"^a"})",
       R"("b")",
       {"", "schema:#/pattern", R"(text that matches "^a")", R"(string "b")"}},
      {R"({"minimum":1.50})", "1", {"", "schema:#/minimum", "at least 1.50", "number 1"}},
      {R"({"exclusiveMaximum":1e400})",
       "1e400",
       {"", "schema:#/exclusiveMaximum", "less than 1e400", "number 1e400"}},
      {R"({"multipleOf":0.01})",
       "0.001",
       {"", "schema:#/multipleOf", "a multiple of 0.01", "number 0.001"}},
      {R"({"required":["a","b"]})",
       R"({"a":1})",
       {"", "schema:#/required", R"(member "b")", "missing"}},
      {R"({"dependentRequired":{"a":["b"]}})",
       R"({"a":1})",
       {"", "schema:#/dependentRequired", R"(member "b", because there is a member "a")",
        "missing"}},
      {R"({"properties":{"a/b":{"type":"null"}}})",
       R"({"a/b":"x"})",
       {"/a~1b", "schema:#/properties/a~1b/type", "null", R"(string "x")"}},
      {R"({"properties":{"a":false}})",
       R"({"a":[1,2]})",
       {"/a", "schema:#/properties/a", "nothing here", "array of 2 items"}},
      {R"({"additionalProperties":false})",
       R"({"a":{}})",
       {"/a", "schema:#/additionalProperties", "no further members", R"(member "a")"}},
      {R"({"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false})",
       R"({"a":1,"b":2})",
       {"/b", "schema:#/unevaluatedProperties", "no further members", R"(member "b")"}},
      {R"({"minProperties":1})",
       "{}",
       {"", "schema:#/minProperties", "at least 1 member", "0 members"}},
      {R"({"minProperties":2})",
       R"({"a":1,"\u0061":2})",
       {"", "schema:#/minProperties", "at least 2 members", "1 member"}},
      {R"({"propertyNames":{"maxLength":1}})",
       R"({"ab":1})",
       {"/ab", "schema:#/propertyNames/maxLength", "member name: at most 1 character",
        "2 characters"}},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})",
       "1",
       {"", "schema:#/anyOf", "string or null", "number 1"}},
      {R"({"anyOf":[{"type":"string"},{"minimum":7}]})",
       "1",
       {"", "schema:#/anyOf/1/minimum", "at least 7", "number 1"}},
      {R"({"anyOf":[{"minimum":9},{"minimum":7}]})",
       "1",
       {"", "schema:#/anyOf", "a match for at least one of 2 alternatives",
        "number 1, which matches none"}},
      {R"({"oneOf":[{"$ref":"#/$defs/t"},{"type":"array","items":{"$ref":"#/$defs/t"}},
           {"enum":[1,2]}],"$defs":{"t":{"type":"string"}}})",
       "null",
       {"", "schema:#/oneOf", "string, array of strings or one of 1, 2", "null"}},
      {R"({"oneOf":[{"$ref":"#/$defs/t","const":"a"},{"$ref":"#/$defs/t","enum":["b","c"]},
           {"type":"integer"}],"$defs":{"t":{"type":"string"}}})",
       "null",
       {"", "schema:#/oneOf", R"(exactly "a", one of "b", "c" or integer)", "null"}},
      {R"({"anyOf":[{"type":"object","properties":{"card":{"pattern":"^t-"}},"required":["card"]},
           {"type":"object","properties":{"company":{},"vat":{}},"required":["company","vat"]}]})",
       R"({"card":"x"})",
       {"/card", "schema:#/anyOf/0/properties/card/pattern", R"(text that matches "^t-")",
        "string \"x\""}},
      {R"({"anyOf":[{"type":"object","properties":{"card":{}},"required":["card"]},
           {"type":"object","properties":{"company":{},"vat":{}},"required":["company","vat"]}]})",
       R"({"tokn":"x"})",
       {"", "schema:#/anyOf", "object with \"card\" or object with \"company\" and \"vat\"",
        "object with 1 member"}},
      {R"({"oneOf":[{"type":"integer"},{"minimum":1}]})",
       "2",
       {"", "schema:#/oneOf", "a match for exactly one of 2 alternatives",
        "number 2, which matches alternatives 0 and 1"}},
      {R"({"not":{"type":"object"}})",
       R"({"a":1})",
       {"", "schema:#/not", "a value that \"not\" does not describe", "object with 1 member"}},
      {R"({"if":true,"then":{"type":"null"}})",
       "1",
       {"", "schema:#/then/type", "null", "number 1"}},
      {R"({"$id":"http://x/y","$defs":{"d":{"$id":"z","type":"null"}},"$ref":"z"})",
       "1",
       {"", "http://x/z#/type", "null", "number 1"}},
      {"false", "1", {"", "schema:#", "nothing here", "number 1"}},
  };
  for (const auto& row : rows) {
    const Validation got = check(compiled(row.schema), row.instance);
    EXPECT_FALSE(got.valid) << row.schema;
    ASSERT_EQ(got.violations.size(), 1U) << row.schema;
    EXPECT_EQ(got.violations[0].instance, row.want.instance) << row.schema;
    EXPECT_EQ(got.violations[0].schema, row.want.schema) << row.schema;
    EXPECT_EQ(got.violations[0].expected, row.want.expected) << row.schema;
    EXPECT_EQ(got.violations[0].found, row.want.found) << row.schema;
  }
}

TEST(Schema, long_values_are_cut_in_violations) {
  const Validation got =
      check(compiled(R"({"type":"null"})"), "\"" + std::string(10'000, 'x') + "\"");
  ASSERT_EQ(got.violations.size(), 1U);
  EXPECT_LT(got.violations[0].found.size(), 100U);
}

TEST(Schema, explains_the_alternative_that_was_meant) {
  const Schema schema = compiled(R"({"anyOf":[
      {"type":"null"},
      {"properties":{"kind":{"const":"a"},"size":{"type":"number"}},"type":"object"},
      {"properties":{"kind":{"const":"b"},"name":{"type":"string"}},"type":"object"}]})");
  const Validation got = check(schema, R"({"kind":"b","name":7})");
  ASSERT_EQ(got.violations.size(), 1U);
  EXPECT_EQ(got.violations[0].instance, "/name");
  EXPECT_EQ(got.violations[0].schema, "schema:#/anyOf/2/properties/name/type");
}

TEST(Schema, violations_come_in_document_order_and_are_bounded) {
  const Schema schema = compiled(R"({"items":{"type":"string"},"minItems":9,
      "allOf":[{"prefixItems":[{"type":"null"}]}]})");
  const Validation got = check(schema, "[1,2,3]");
  ASSERT_EQ(got.violations.size(), 5U);
  EXPECT_EQ(got.violations[0].schema, "schema:#/minItems");
  EXPECT_EQ(got.violations[1].instance, "/0");
  EXPECT_EQ(got.violations[2].instance, "/0");
  EXPECT_EQ(got.violations[3].instance, "/1");
  EXPECT_EQ(got.violations[4].instance, "/2");

  const json::Value many = json::parse_own("[1,2,3]");
  const auto two = schema.validate(*many, {}, 2);
  ASSERT_TRUE(two);
  EXPECT_FALSE(two->valid);
  EXPECT_EQ(two->violations.size(), 2U);
  const auto none = schema.validate(*many, {}, 0);
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->valid);
  EXPECT_TRUE(none->violations.empty());
}

TEST(Schema, members_that_a_duplicate_hides_are_validated_too) {
  const Schema schema = compiled(R"({"properties":{"a":{"type":"string"}}})");
  EXPECT_FALSE(check(schema, R"({"a":1,"a":"x"})").valid);
  EXPECT_FALSE(check(schema, R"({"a":"x","\u0061":1})").valid);
}

TEST(Schema, bad_schemas_are_refused_with_their_place) {
  const struct {
    std::string schema;
    ErrorCode code;
    std::string where;
    std::string message;
  } rows[] = {
      {"3", ErrorCode::invalid_input, "schema:#",
       "expected a schema: an object or a boolean, found number 3"},
      {R"({"properties":{"a":null}})", ErrorCode::invalid_input, "schema:#/properties/a",
       "expected a schema: an object or a boolean, found null"},
      {R"({"properties":[]})", ErrorCode::invalid_input, "schema:#/properties",
       "expected an object of schemas, found empty array"},
      {R"({"type":"text"})", ErrorCode::invalid_input, "schema:#/type", "found string \"text\""},
      {R"({"minLength":-1})", ErrorCode::invalid_input, "schema:#/minLength",
       "expected an integer of at least 0, found number -1"},
      {R"({"maximum":"5"})", ErrorCode::invalid_input, "schema:#/maximum", "expected a number"},
      {R"({"multipleOf":0})", ErrorCode::invalid_input, "schema:#/multipleOf",
       "expected a number greater than 0"},
      {R"({"required":"a"})", ErrorCode::invalid_input, "schema:#/required",
       "expected an array of member names"},
      {R"({"allOf":[]})", ErrorCode::invalid_input, "schema:#/allOf", "a non-empty array"},
      {R"({"items":[{}]})", ErrorCode::invalid_input, "schema:#/items", "array of schemas"},
      {R"({"$ref":"#/$defs/a"})", ErrorCode::invalid_input, "schema:#/$ref",
       "found \"schema:#/$defs/a\""},
      {R"({"$ref":"#a"})", ErrorCode::invalid_input, "schema:#/$ref", "expected an anchor"},
      {R"({"items":{"$ref":"http://x/y"}})", ErrorCode::invalid_input, "schema:#/items/$ref",
       "found \"http://x/y\""},
      {R"({"$id":"http://x/y#z"})", ErrorCode::invalid_input, "schema:#/$id", "without fragment"},
      {R"({"$schema":"http://json-schema.org/draft-04/schema#"})", ErrorCode::unsupported,
       "schema:#/$schema", "draft 2020-12 or draft-07"},
      {R"json({"properties":{"a":{"pattern":"(?=x)"}}})json", ErrorCode::unsupported,
       "schema:#/properties/a/pattern", "pattern \"(?=x)\""},
      {R"({"patternProperties":{"a/(":{}}})", ErrorCode::invalid_input,
       "schema:#/patternProperties/a~1(", "pattern \"a/(\""},
  };
  for (const auto& row : rows) {
    const Error error = refused(row.schema);
    EXPECT_EQ(error.code, row.code) << row.schema;
    EXPECT_EQ(error.where, row.where) << row.schema;
    EXPECT_NE(error.message.find(row.message), std::string::npos) << error.message;
  }
}

TEST(Schema, the_dialect_decides_what_keywords_mean) {
  const std::string tuple = R"("items":[{"type":"string"}],"additionalItems":false})";
  const Schema schema =
      compiled(R"({"$schema":"http://json-schema.org/draft-07/schema#",)" + tuple);
  EXPECT_TRUE(check(schema, R"(["a"])").valid);
  EXPECT_FALSE(check(schema, R"(["a","b"])").valid);
  EXPECT_TRUE(check(compiled("{" + tuple, {.default_dialect = Dialect::draft_07}), "[]").valid);

  // Beside $ref nothing counts in draft-07, everything does in 2020-12.
  const std::string beside =
      R"({"$ref":"#/definitions/any","type":"null","definitions":{"any":true}})";
  EXPECT_TRUE(check(compiled(beside, {.default_dialect = Dialect::draft_07}), "1").valid);
  EXPECT_FALSE(check(compiled(beside), "1").valid);
}

TEST(Schema, formats_and_contents_are_annotations) {
  const Schema schema = compiled(R"({"format":"email","contentMediaType":"application/json"})");
  EXPECT_TRUE(check(schema, R"("no e-mail {")").valid);
}

TEST(Schema, references_reach_the_registry_and_nothing_else) {
  Registry registry;
  registry.emplace("http://x/text", json::parse_own(R"({"type":"string"})"));
  registry.emplace("http://x/bundle",
                   json::parse_own(R"({"$defs":{"n":{"$id":"http://y/n","type":"null"}}})"));
  registry.emplace("http://x/foreign",
                   json::parse_own(R"({"$schema":"http://z/unknown","type":"null"})"));
  const Options options{.registry = &registry, .base_uri = "http://x/root"};
  EXPECT_FALSE(check(compiled(R"({"$ref":"text"})", options), "1").valid);
  EXPECT_FALSE(check(compiled(R"({"$ref":"http://y/n"})", options), "1").valid);
  EXPECT_FALSE(check(compiled(R"({"$ref":"bundle#/$defs/n"})", options), "1").valid);
  EXPECT_EQ(refused(R"({"$ref":"foreign"})", options).code, ErrorCode::unsupported);
  EXPECT_EQ(refused(R"({"$ref":"nowhere"})", options).code, ErrorCode::invalid_input);
}

TEST(Schema, meta_schemas_are_always_known) {
  const Schema meta = compiled(R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})");
  EXPECT_TRUE(check(meta, R"({"type":"string","items":{"minLength":1}})").valid);
  EXPECT_FALSE(check(meta, R"({"items":{"minLength":-1}})").valid);
  const Schema old = compiled(R"({"$ref":"http://json-schema.org/draft-07/schema#"})");
  EXPECT_TRUE(check(old, R"({"items":[{"type":"string"}]})").valid);
  EXPECT_FALSE(check(old, R"({"items":[{"type":"text"}]})").valid);
}

TEST(Schema, a_required_vocabulary_must_be_known) {
  Registry registry;
  registry.emplace("http://x/meta", json::parse_own(R"({"$vocabulary":{
      "https://json-schema.org/draft/2020-12/vocab/core":true,"http://x/vocab":true}})"));
  const Error error = refused(R"({"$schema":"http://x/meta"})", {.registry = &registry});
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_NE(error.message.find("http://x/vocab"), std::string::npos);
}

TEST(Schema, endless_self_reference_ends_with_limit_exceeded) {
  for (const std::string text :
       {R"({"$ref":"#"})", R"({"allOf":[{"$ref":"#"}]})", R"({"not":{"$ref":"#"}})",
        R"({"$dynamicAnchor":"a","$dynamicRef":"#a"})", R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}]})",
        R"({"if":{"$ref":"#"}})", R"({"dependentSchemas":{"a":{"$ref":"#"}}})",
        R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}})"}) {
    const json::Value instance = json::parse_own(R"({"a":1})");
    const Schema schema = compiled(text);
    const auto validation = schema.validate(*instance);
    ASSERT_FALSE(validation) << text;
    EXPECT_EQ(validation.error().code, ErrorCode::limit_exceeded) << text;
    const auto accepts = schema.accepts(*instance);
    ASSERT_FALSE(accepts) << text;
    EXPECT_EQ(accepts.error().code, ErrorCode::limit_exceeded) << text;
  }
}

TEST(Schema, recursion_along_a_deep_instance_is_fine) {
  const Schema schema = compiled(R"({"$ref":"#/$defs/tree","$defs":{"tree":{"anyOf":[
      {"type":"null"},{"allOf":[{"type":"array","items":{"$ref":"#/$defs/tree"}}]}]}}})");
  const std::string deep = std::string(511, '[') + "null" + std::string(511, ']');
  EXPECT_TRUE(check(schema, deep).valid);
}

TEST(Schema, exponential_work_ends_with_limit_exceeded) {
  std::string defs = R"("d0":{"type":"null"})";
  for (int i = 1; i < 40; ++i) {
    const std::string ref = R"({"$ref":"#/$defs/d)" + std::to_string(i - 1) + R"("})";
    defs += ",\"d" + std::to_string(i) + "\":{\"oneOf\":[" + ref + "," + ref + "]}";
  }
  const Schema schema = compiled(R"({"$ref":"#/$defs/d39","$defs":{)" + defs + "}}");
  const json::Value instance = json::parse_own("1");
  const auto validation = schema.validate(*instance, Limits{.schema_steps = 100'000});
  ASSERT_FALSE(validation);
  EXPECT_EQ(validation.error().code, ErrorCode::limit_exceeded);
  EXPECT_NE(validation.error().message.find("100000 steps"), std::string::npos);
}

TEST(Schema, many_large_patterns_end_with_limit_exceeded) {
  std::string members;
  for (int i = 0; i < 100; ++i) {
    members +=
        (i == 0 ? "\"" : ",\"") + std::string("^[a-z]{9000}") + std::to_string(i) + "\":true";
  }
  EXPECT_EQ(refused(R"({"patternProperties":{)" + members + "}}").code, ErrorCode::limit_exceeded);
}

TEST(Schema, many_unique_items_are_no_trouble) {
  std::string text = "[";
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + ",";
  const Schema schema = compiled(R"({"uniqueItems":true})");
  EXPECT_TRUE(check(schema, text + "-1]").valid);
  EXPECT_FALSE(check(schema, text + "7.0]").valid);
}

TEST(Schema, a_schema_may_be_part_of_a_larger_document) {
  const json::Value tool =
      json::parse_own(R"({"name":"t","outputSchema":{"$defs":{"a":{"type":"null"}},
      "properties":{"x":{"$ref":"#/$defs/a"}}}})");
  const auto schema = Schema::compile(json::Value(*tool->find("outputSchema")));
  ASSERT_TRUE(schema);
  EXPECT_FALSE(check(*schema, R"({"x":1})").valid);
}

TEST(Schema, outlives_the_text_it_was_compiled_from) {
  Schema schema;
  {
    const json::Value text = json::parse_own(R"({"enum":[{"a":1}],"maximum":3})");
    schema = *Schema::compile(text);
  }
  EXPECT_FALSE(check(schema, "4").valid);
  EXPECT_TRUE(check(schema, R"({"a":1.0})").valid);
}

}  // namespace
}  // namespace enfold::schema
