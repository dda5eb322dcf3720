// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/headers.h"

#include "tests/support/answers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace enfold::mcp {
namespace {

TEST(Headers, values_that_are_not_safe_travel_as_base64) {
  const struct {
    const char* name;
    std::string text;
    std::string value;
  } table[] = {
      {"plain", "tools/call", "tools/call"},
      {"inner space", "eu west", "eu west"},
      {"outer space", " a", "=?base64?IGE=?="},
      {"empty", "",
       "=?base64?"
       "?="},
      {"not ASCII", "Köln", "=?base64?S8O2bG4=?="},
      {"line feed", "a\nb", "=?base64?YQpi?="},
      {"tab", "a\tb", "=?base64?YQli?="},
      {"looks encoded", "=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="},
      {"uses + and /", "\xFB\xFF", "=?base64?+/8=?="},
  };
  for (const auto& row : table) {
    EXPECT_EQ(encode_header_value(row.text), row.value) << row.name;
    EXPECT_EQ(decode_header_value(row.value), row.text) << row.name;
  }
  EXPECT_EQ(decode_header_value("=?base64?!?="), std::nullopt);
  EXPECT_EQ(decode_header_value("=?BASE64?YQ==?="), "a");
  EXPECT_EQ(decode_header_value("caf\xC3\xA9"), std::nullopt);
  EXPECT_EQ(decode_header_value("=?base64?"), "=?base64?");
}

RC_GTEST_PROP(Headers, decode_of_encode_is_identity, (const std::string& text)) {
  const std::string value = encode_header_value(text);
  RC_ASSERT(decode_header_value(value) == text);
  for (const char c : value) RC_ASSERT(c >= 0x20 && c < 0x7F);
}

TEST(Headers, are_found_in_any_case_without_white_space_around) {
  const std::vector<HeaderField> fields{{"mcp-NAME", "  a b \t"}, {"Mcp-Name", "second"}};
  EXPECT_EQ(find_header(fields, header::name), "a b");
  EXPECT_EQ(find_header(fields, "Mcp-Nam"), std::nullopt);
}

struct Checked {
  const char* name;
  std::vector<HeaderField> fields;
  const char* method;
  const char* params;
  std::string_view mismatch;  ///< the header that is named; empty: all agree
};

TEST(Headers, must_say_what_the_body_says) {
  const std::string_view v = "2026-07-28";
  const HeaderField version{"mcp-protocol-version", v};
  const Checked table[] = {
      {"agree",
       {version, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "a"}},
       "tools/call",
       R"({"name":"a"})",
       ""},
      {"encoded",
       {version, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?YQ==?="}},
       "tools/call",
       R"({"name":"a"})",
       ""},
      {"uri",
       {version, {"Mcp-Method", "resources/read"}, {"Mcp-Name", "x:1"}},
       "resources/read",
       R"({"uri":"x:1"})",
       ""},
      {"no name needed", {version, {"Mcp-Method", "tools/list"}}, "tools/list", "{}", ""},
      {"unknown method", {version, {"Mcp-Method", "a/b"}}, "a/b", R"({"name":"a"})", ""},
      {"two of them",
       {version, {"Mcp-Method", "tools/list"}, {"mcp-method", "tools/list"}},
       "tools/list",
       "{}",
       header::method},
      {"no version", {{"Mcp-Method", "tools/list"}}, "tools/list", "{}", header::version},
      {"other version",
       {{"MCP-Protocol-Version", "2025-11-25"}, {"Mcp-Method", "tools/list"}},
       "tools/list",
       "{}",
       header::version},
      {"no method", {version}, "tools/list", "{}", header::method},
      {"case of values matters",
       {version, {"Mcp-Method", "Tools/list"}},
       "tools/list",
       "{}",
       header::method},
      {"no name",
       {version, {"Mcp-Method", "tools/call"}},
       "tools/call",
       R"({"name":"a"})",
       header::name},
      {"other name",
       {version, {"Mcp-Method", "prompts/get"}, {"Mcp-Name", "b"}},
       "prompts/get",
       R"({"name":"a"})",
       header::name},
      {"broken name",
       {version, {"Mcp-Method", "prompts/get"}, {"Mcp-Name", "=?base64?*?="}},
       "prompts/get",
       R"({"name":"a"})",
       header::name},
  };
  for (const Checked& row : table) {
    const auto error = check_headers(row.fields, v, row.method, json::parse_own(row.params).view());
    EXPECT_EQ(error.has_value(), !row.mismatch.empty()) << row.name;
    if (!error) continue;
    EXPECT_EQ(error->code, code::header_mismatch) << row.name;
    EXPECT_EQ(error->data->view().find("header")->string(), row.mismatch) << row.name;
  }
  const auto message_for = [&](const char* name) {
    const std::vector<HeaderField> fields{
        version, {"Mcp-Method", "prompts/get"}, {"Mcp-Name", name}};
    return check_headers(fields, v, "prompts/get", json::parse_own(R"({"name":"a"})").view())
        ->message;
  };
  EXPECT_TRUE(message_for("=?base64?*?=").ends_with("found broken Base64"));
  EXPECT_TRUE(message_for("\xC3\xA4").ends_with("found a byte that no header may hold"));
}

TEST(ParamHeaders, are_read_from_properties_at_any_depth) {
  const auto read = read_param_headers(json::parse_own(R"({"type":"object","properties":{
        "a":{"type":"string","x-mcp-header":"A"},
        "x-mcp-header":{"type":"string"},
        "deep":{"type":"object","properties":{"b":{"type":"boolean","x-mcp-header":"Deep-B"}}},
        "data":{"const":{"x-mcp-header":"no"}}}})")
                                           .view());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, (ParamHeaders{{"A", {"a"}, ParamHeader::Kind::string},
                                 {"Deep-B", {"deep", "b"}, ParamHeader::Kind::boolean}}));
}

TEST(ParamHeaders, a_schema_that_breaks_a_rule_is_refused_at_its_place) {
  const struct {
    const char* name;
    const char* schema;
    const char* where;
  } table[] = {
      {"empty", R"({"properties":{"a":{"type":"string","x-mcp-header":""}}})", "/properties/a"},
      {"no token", R"({"properties":{"a":{"type":"string","x-mcp-header":"a b"}}})",
       "/properties/a"},
      {"no string", R"({"properties":{"a":{"type":"string","x-mcp-header":5}}})", "/properties/a"},
      {"number", R"({"properties":{"a":{"type":"number","x-mcp-header":"A"}}})", "/properties/a"},
      {"object", R"({"properties":{"a":{"type":"object","x-mcp-header":"A"}}})", "/properties/a"},
      {"no type", R"({"properties":{"a":{"x-mcp-header":"A"}}})", "/properties/a"},
      {"twice",
       R"({"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}})",
       "/properties/b"},
      {"in items",
       R"({"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}})",
       "/properties/a/items"},
      {"in allOf", R"({"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]})",
       "/allOf/0/properties/a"},
      {"in $defs", R"({"$defs":{"a":{"type":"string","x-mcp-header":"A"}}})", "/$defs/a"},
      {"at the root", R"({"type":"string","x-mcp-header":"A"})", ""},
  };
  for (const auto& row : table) {
    const auto read = read_param_headers(json::parse_own(row.schema).view());
    ASSERT_FALSE(read) << row.name;
    EXPECT_EQ(read.error().code, ErrorCode::invalid_input) << row.name;
    EXPECT_EQ(read.error().where, row.where) << row.name;
  }
}

TEST(ParamHeaders, must_say_what_the_arguments_say) {
  const ParamHeaders declared = *read_param_headers(
      json::parse_own(R"({"properties":{"s":{"type":"string","x-mcp-header":"S"},
        "n":{"type":"integer","x-mcp-header":"N"},"b":{"type":"boolean","x-mcp-header":"B"}}})")
          .view());
  const struct {
    const char* name;
    std::vector<HeaderField> fields;
    const char* arguments;
    bool agree;
  } table[] = {
      {"nothing", {}, "{}", true},
      {"no arguments", {}, "null", true},
      {"all",
       {{"Mcp-Param-S", "x"}, {"Mcp-Param-N", "4"}, {"Mcp-Param-B", "true"}},
       R"({"s":"x","n":4,"b":true})",
       true},
      {"numbers by value", {{"mcp-param-n", "4"}}, R"({"n":4.0})", true},
      {"large numbers", {{"mcp-param-n", "9007199254740993"}}, R"({"n":9007199254740992})", false},
      {"no number", {{"mcp-param-n", "four"}}, R"({"n":4})", false},
      {"missing", {}, R"({"s":"x"})", false},
      {"other", {{"Mcp-Param-S", "y"}}, R"({"s":"x"})", false},
      {"null means absent", {{"Mcp-Param-S", "y"}}, R"({"s":null})", false},
      {"null and absent", {}, R"({"s":null})", true},
      {"wrong type is for validation", {}, R"({"s":5})", true},
      {"unknown ones pass", {{"Mcp-Param-Other", "y"}}, "{}", true},
      {"two of them", {{"Mcp-Param-S", "x"}, {"mcp-param-s", "x"}}, R"({"s":"x"})", false},
      {"broken", {{"Mcp-Param-S", "=?base64?%?="}}, R"({"s":"x"})", false},
  };
  for (const auto& row : table) {
    const json::Value arguments = json::parse_own(row.arguments);
    EXPECT_EQ(!check_param_headers(declared, row.fields, arguments.view()), row.agree) << row.name;
  }
}

RC_GTEST_PROP(ParamHeaders, what_a_client_writes_a_server_accepts, (const std::string& raw)) {
  const ParamHeaders declared = *read_param_headers(
      json::parse_own(R"({"properties":{"s":{"type":"string","x-mcp-header":"S"}}})").view());
  json::Writer writer;
  writer.begin_object().member("s", raw).end_object();
  const json::Value arguments = std::move(writer).finish_value();
  const std::vector<Header> headers = param_headers(declared, arguments.view());
  std::vector<HeaderField> fields;
  for (const Header& one : headers) fields.push_back({one.name, one.value});
  RC_ASSERT(!check_param_headers(declared, fields, arguments.view()));
}

}  // namespace
}  // namespace enfold::mcp
