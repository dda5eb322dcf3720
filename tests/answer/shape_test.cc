// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using contract::Id;

ReadAnswer understood(const char* text, const ShapeSettings& settings = {}, const Call& call = {}) {
  const auto document = json::parse(text);
  EXPECT_TRUE(document) << text;
  auto answer = read_answer(*document, std::nullopt, settings, call);
  EXPECT_TRUE(answer) << text;
  return std::move(*answer);
}

std::string envelope(const char* text, const ShapeSettings& settings = {}, const Call& call = {}) {
  return write_envelope(understood(text, settings, call), settings)->str();
}

TEST(Shape, puts_each_kind_of_answer_into_data) {
  struct Case {
    const char* name;
    const char* result;
    const char* data;
  };
  const Case cases[] = {
      {"text", R"({"content":[{"type":"text","text":"hello"}]})", R"({"text":"hello"})"},
      {"empty text", R"({"content":[{"type":"text","text":""}]})", R"({"text":""})"},
      {"nothing", R"({"content":[]})", "{}"},
      {"JSON object in text", R"({"content":[{"type":"text","text":" {\"a\": 1.0} "}]})",
       R"({"a":1.0})"},
      {"JSON array in text", R"({"content":[{"type":"text","text":"[1,2]"}]})",
       R"({"items":[1,2]})"},
      {"a number in text stays text", R"({"content":[{"type":"text","text":"42"}]})",
       R"({"text":"42"})"},
      {"broken JSON stays text", R"({"content":[{"type":"text","text":"{\"a\":"}]})",
       R"({"text":"{\"a\":"})"},
      {"structured object", R"({"content":[],"structuredContent":{"a":[1e400]}})",
       R"({"a":[1e400]})"},
      {"structured scalar", R"({"content":[],"structuredContent":3})", R"({"result":3})"},
      {"structured array", R"({"content":[],"structuredContent":[{}]})", R"({"items":[{}]})"},
      {"both, the same",
       R"({"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}})",
       R"({"a":1})"},
      {"several blocks",
       R"({"content":[{"type":"text","text":"a"},{"type":"resource_link","uri":"x:1","name":"n"}]})",
       R"({"content":[{"type":"text","text":"a"},{"type":"resource_link","uri":"x:1","name":"n"}]})"},
      {"a block with more to it than text",
       R"({"content":[{"type":"text","text":"a","name":"STDOUT"}]})",
       R"({"content":[{"type":"text","text":"a","name":"STDOUT"}]})"},
      {"JSON-RPC response",
       R"({"jsonrpc":"2.0","id":"1","result":{"content":[],"structuredContent":{"a":1}}})",
       R"({"a":1})"},
      {"modern result", R"({"resultType":"complete","content":[{"type":"text","text":"x"}]})",
       R"({"text":"x"})"},
      {"plain JSON", R"([1])", R"({"items":[1]})"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(envelope(c.result), std::string(R"({"success":true,"data":)") + c.data +
                                      R"(,"error":null,"meta":{"version":"response-v2"}})")
        << c.name;
  }
}

TEST(Shape, types_errors_that_come_as_prose) {
  struct Case {
    const char* text;
    const char* code;
    const char* type;
  };
  const Case cases[] = {
      {"ENOENT: no such file or directory", "ENOENT", "not_found"},
      {"MCP error -32602: Tool x not found", "-32602", "not_found"},
      {"Access denied - path outside allowed directories", "FORBIDDEN", "authorization"},
      {"Request timed out", "TIMEOUT", "unavailable"},
      {"Something odd", "TOOL_ERROR", "internal"}};
  for (const Case& c : cases) {
    json::Writer writer;
    writer.begin_object()
        .key("content")
        .begin_array()
        .begin_object()
        .member("type", "text")
        .member("text", c.text);
    writer.end_object().end_array().member("isError", true).end_object();
    const std::string text = std::move(writer).finish().str();
    const json::Value out = json::parse_own(envelope(text.c_str()));
    EXPECT_EQ(out->find("error")->string(), c.text);
    EXPECT_EQ(out->find("data")->find("error_code")->string(), c.code) << c.text;
    EXPECT_EQ(out->find("data")->find("error_type")->string(), c.type) << c.text;
  }
}

TEST(Shape, carries_the_envelope_in_both_channels_and_other_blocks_after_it) {
  const ReadAnswer answer = understood(
      R"({"content":[{"type":"text","text":"see"},{"type":"image","data":"AAEC","mimeType":"image/png"}]})");
  const json::Value result = json::parse_own(write_result(answer, {})->str());
  ASSERT_EQ(result->find("content")->size(), 2U);
  const json::Value text =
      json::parse_own(result->find("content")->item(0)->find("text")->string());
  EXPECT_TRUE(json::equal(text.view(), *result->find("structuredContent")));
  EXPECT_TRUE(result->find("content")->item(1)->find("data")->equals("AAEC"));
  EXPECT_FALSE(result->find("isError")->boolean());
  ShapeSettings only_text;
  only_text.channels = Channels::text;
  EXPECT_EQ(write_result(answer, only_text)->str().find("structuredContent"), std::string::npos);
}

TEST(Shape, takes_no_room_for_a_large_payload_that_it_only_refers_to) {
  const std::string payload(100'000, 'x');
  const ReadAnswer answer =
      understood((R"({"content":[],"structuredContent":{"text":")" + payload + R"("}})").c_str());
  ShapeSettings settings;
  settings.channels = Channels::structured;
  EXPECT_LT(write_result(answer, settings)->own_bytes(), 4'000U);
  settings.channels = Channels::both;
  EXPECT_LT(write_result(answer, settings)->own_bytes(), payload.size() * 13 / 10);
}

TEST(Shape, does_not_wrap_an_envelope_a_second_time) {
  const char* inner =
      R"({"content":[{"type":"text","text":"{\"success\":false,\"data\":{\"error_code\":\"CONFLICT\"},\"error\":\"busy\",\"meta\":{\"version\":\"response-v2\",\"trace\":7}}"}]})";
  EXPECT_EQ(
      envelope(inner),
      R"({"success":false,"data":{"error_code":"CONFLICT"},"error":"busy","meta":{"version":"response-v2","trace":7}})");
  EXPECT_FALSE(succeeded(understood(inner).reading.response));
}

TEST(Shape, believes_isError_over_an_envelope_that_says_success) {
  const ReadAnswer answer = understood(
      R"({"isError":true,"content":[{"type":"text","text":"{\"success\":true,\"data\":{},\"error\":null,\"meta\":{\"version\":\"response-v2\"}}"}]})");
  EXPECT_FALSE(succeeded(answer.reading.response));
  ASSERT_TRUE(answer.reading.response.failure);
}

TEST(Shape, shows_an_unfinished_result_as_it_is) {
  const ReadAnswer answer =
      understood(R"({"resultType":"input_required","inputRequests":{}})", {}, {});
  EXPECT_TRUE(succeeded(answer.reading.response));
}

TEST(Shape, adds_what_the_call_knows) {
  const std::string out =
      envelope(R"({"content":[],"structuredContent":{}})", {},
               {.tool = "t", .request_id = "req_1", .duration_ms = model::Number{"12"}});
  EXPECT_EQ(
      out,
      R"({"success":true,"data":{},"error":null,"meta":{"version":"response-v2","request_id":"req_1","telemetry":{"duration_ms":12}}})");
}

TEST(Shape, projects_foreign_answers_by_tool_and_level) {
  const auto projections = level::ProjectionSet::compile(
      {{"search", {{.level = model::Level::minimal, .keep = {"/items/*/id"}}}}});
  ASSERT_TRUE(projections);
  ShapeSettings settings;
  settings.projections = &*projections;
  settings.level = model::Level::minimal;
  const char* answer =
      R"({"content":[],"structuredContent":{"items":[{"id":1,"body":"long"}],"took":3}})";
  EXPECT_THAT(envelope(answer, settings, {.tool = "search"}),
              ::testing::HasSubstr(R"("data":{"items":[{"id":1}]})"));
  EXPECT_THAT(envelope(answer, settings, {.tool = "other"}), ::testing::HasSubstr(R"("took":3)"));
  settings.level = model::Level::full;
  EXPECT_THAT(envelope(answer, settings, {.tool = "search"}), ::testing::HasSubstr(R"("took":3)"));
}

TEST(Shape, warns_about_json_that_readers_disagree_on) {
  const ReadAnswer answer =
      understood(R"({"content":[],"structuredContent":{"a":1,"a":2,"s":"\ud800"}})");
  ASSERT_EQ(answer.reading.response.warnings.size(), 2U);
  EXPECT_EQ(answer.reading.response.warnings[0].code, "DUPLICATE_KEYS");
  EXPECT_THAT(answer.reading.response.warnings[0].message,
              ::testing::HasSubstr("line 1, column 42"));
  EXPECT_EQ(answer.reading.response.warnings[1].code, "LONE_SURROGATE");
  EXPECT_THAT(write_envelope(answer, {})->str(),
              ::testing::HasSubstr(R"("data":{"a":1,"a":2,"s":"\ud800"})"));
}

TEST(Shape, keeps_source_code_out_of_a_scalpel_error) {
  ShapeSettings settings;
  settings.contract = Id::scalpel_v1;
  json::Writer writer;
  writer.begin_object().member("isError", true).key("content").begin_array().begin_object();
  writer.member("type", "text");
  writer.member("text", "Parsing failed\n```js\nconst key = 1;\n```\n    at run (/a.js:3:1)");
  writer.end_object().end_array().end_object();
  const std::string out = envelope(std::move(writer).finish().str().c_str(), settings);
  EXPECT_THAT(out, ::testing::HasSubstr("Parsing failed"));
  EXPECT_EQ(out.find("const key"), std::string::npos);
  EXPECT_EQ(out.find("at run"), std::string::npos);
}

TEST(Shape, gives_a_file_the_same_request_id_every_time) {
  ShapeSettings settings;
  settings.contract = Id::scalpel_v1;
  const char* answer = R"({"content":[],"structuredContent":{"a":1}})";
  EXPECT_EQ(envelope(answer, settings), envelope(answer, settings));
  EXPECT_THAT(envelope(answer, settings),
              ::testing::ContainsRegex("\"request_id\":\"req_[0-9a-f]{12}\""));
}

}  // namespace
}  // namespace enfold::answer
