// SPDX-License-Identifier: Apache-2.0
// MCP results as servers write them who do not keep to the schema.
#include "enfold/contract/contract.h"
#include "enfold/json/write.h"
#include "tests/contract/parse_any.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

model::Response read_result(std::string_view result) {
  auto reading = read(Id::mcp, json::parse_own(result).view());
  EXPECT_TRUE(reading) << result;
  return std::move(reading->response);
}

TEST(McpResult, keeps_content_that_is_no_list) {
  struct Case {
    const char* result;
    const char* payload;
    std::size_t blocks;
  };
  for (const Case& one :
       {Case{R"({"content":{"type":"text","text":"lost?"}})", R"("lost?")", 0},
        Case{R"({"content":"lost?"})", R"("lost?")", 0},
        Case{R"({"content":"{\"n\":1}"})", R"({"n":1})", 0},
        Case{R"({"content":{"n":1.0}})", R"({"n":1.0})", 0},
        Case{R"({"content":42})", R"("42")", 0},
        Case{R"({"content":{"type":"resource_link","uri":"a:b","name":"b"}})",
             R"([{"type":"resource_link","uri":"a:b","name":"b"}])", 0},
        Case{R"({"content":"more","structuredContent":{"n":1}})", R"({"n":1})", 1},
        Case{R"({"jsonrpc":"2.0","id":1,"result":{"content":"lost?"}})", R"("lost?")", 0}}) {
    const model::Response response = read_result(one.result);
    ASSERT_TRUE(response.payload) << one.result;
    EXPECT_EQ(json::to_text(response.payload->view()), one.payload) << one.result;
    EXPECT_EQ(response.blocks.size(), one.blocks) << one.result;
    ASSERT_EQ(response.warnings.size(), 1U) << one.result;
    EXPECT_EQ(response.warnings[0].code, "SCHEMA_MISMATCH") << one.result;
  }
  EXPECT_TRUE(read_result(R"({"content":null,"structuredContent":{"n":1}})").warnings.empty());
}

TEST(McpResult, counts_text_that_repeats_structured_content_once) {
  const std::string structured =
      R"("structuredContent":{"entities":[{"name":"n0"}],"note":"done"})";
  for (const auto& [text, blocks] : std::vector<std::pair<std::string, std::size_t>>{
           {R"({"entities": [{"name": "n0"}], "note": "done"})", 0},
           {"[\n  {\"name\": \"n0\"}\n]", 0},
           {"done", 0},
           {"[]", 1},
           {R"([{"name":"n1"}])", 1},
           {"1 entity", 1}}) {
    const json::Value result = json::parse_own(fmt::format(
        R"({{"content":[{{"type":"text","text":{}}}],{}}})", json::quote(text), structured));
    const auto reading = read(Id::mcp, result.view());
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->response.blocks.size(), blocks) << text;
  }
}

TEST(McpResult, shows_a_lone_block_to_workflows_too) {
  const auto parsed = parse_any(
      json::parse_own(
          R"({"jsonrpc":"2.0","id":1,"result":{"content":{"type":"audio","data":"AA==","mimeType":"a/b"}}})")
          .view());
  ASSERT_TRUE(parsed);
  EXPECT_NE(parsed->output.str().find("AA=="), std::string::npos);
}

TEST(McpResult, fails_by_a_flag_that_is_no_boolean) {
  struct Case {
    const char* flag;
    bool failed;
  };
  for (const Case& one :
       {Case{"true", true}, Case{R"("true")", true}, Case{R"("True")", true}, Case{"1", true},
        Case{"-1", true}, Case{"0.5", true}, Case{"false", false}, Case{R"("false")", false},
        Case{R"("")", false}, Case{"0", false}, Case{"0.0", false}, Case{"null", false}}) {
    const model::Response response =
        read_result(R"({"content":[{"type":"text","text":"no disk"}],"isError":)" +
                    std::string(one.flag) + "}");
    EXPECT_EQ(response.outcome == model::Outcome::failed, one.failed) << one.flag;
    if (!one.failed) continue;
    EXPECT_EQ(response.failure.value().message, "no disk") << one.flag;
  }
  EXPECT_EQ(detect(json::parse_own(R"({"content":"no disk","isError":true})").view()), Id::mcp);
}

TEST(McpResult, fails_by_an_error_in_words_in_place_of_a_result) {
  const model::Response failed = read_result(R"({"jsonrpc":"2.0","id":1,"error":"no disk"})");
  EXPECT_EQ(failed.outcome, model::Outcome::failed);
  EXPECT_EQ(failed.failure.value().message, "no disk");
  const model::Response beside =
      read_result(R"({"jsonrpc":"2.0","id":1,"error":"","result":{"content":[]}})");
  EXPECT_EQ(beside.outcome, model::Outcome::ok);
}

}  // namespace
}  // namespace enfold::contract
