// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/catalog.h"

#include "tests/support/goldens.h"

#include <gtest/gtest.h>

namespace enfold::mcp {
namespace {

using testing::entries_of;
using testing::golden_folder;
using testing::Path;
using testing::read_json_file;

json::Value value_of(json::Output output) { return json::parse_own(output.str()); }

// The first object below `value` that has a member `tools`.
std::optional<json::View> tool_list(json::View value) {
  if (value.is_object()) {
    if (const auto tools = value.find("tools"); tools && tools->is_array()) return value;
    for (const json::Member& member : value.members()) {
      if (auto found = tool_list(member.value)) return found;
    }
  }
  return std::nullopt;
}

TEST(Catalog, recorded_tool_lists_survive_byte_for_byte) {
  std::size_t tools = 0;
  for (const Path& folder : entries_of(golden_folder() / "toolslists")) {
    const Path file = std::filesystem::is_directory(folder) ? folder / "input.json" : folder;
    const json::Value source = read_json_file(file);
    const auto list = tool_list(source.view());
    ASSERT_TRUE(list) << file;
    const auto page = read_tools(*list);
    ASSERT_TRUE(page) << file << page.error().message;
    std::size_t index = 0;
    for (const Tool& tool : page->items) {
      json::Writer writer;
      write(writer, tool, Era::stateless);
      EXPECT_EQ(std::move(writer).finish().str(),
                json::to_text(*list->find("tools")->item(index++)))
          << file;
      ++tools;
    }
  }
  EXPECT_GT(tools, 50U);
}

TEST(Catalog, a_changed_field_leaves_the_others_alone) {
  const json::Value source = json::parse_own(
      R"({"x":1,"name":"a","inputSchema":{"type":"object","$defs":{}},"icons":[],"title":"T"})");
  Tool tool = *read_tool(source.view());
  tool.name = "up__a";
  tool.title.reset();
  tool.description = "d";
  tool.output_schema = json::parse_own(R"({"type":"object"})");
  json::Writer writer;
  write(writer, tool, Era::sessions);
  EXPECT_EQ(std::move(writer).finish().str(),
            R"({"x":1,"name":"up__a","inputSchema":{"type":"object","$defs":{}},"icons":[],)"
            R"("description":"d","outputSchema":{"type":"object"}})");
}

TEST(Catalog, an_output_schema_without_object_root_is_wrapped_for_sessions) {
  const json::Value source = json::parse_own(
      R"({"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}})");
  const Page<Tool> page{{*read_tool(source.view())}, "next"};
  EXPECT_EQ(json::to_text(value_of(write_tools(page, Era::sessions)).view()),
            R"({"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":)"
            R"({"type":"object","properties":{"result":{"type":"array"}},"required":["result"]}}],)"
            R"("nextCursor":"next"})");
  EXPECT_EQ(json::to_text(value_of(write_tools(page, Era::stateless)).view()),
            R"({"tools":[)" + json::to_text(source.view()) + R"(],"nextCursor":"next"})");
}

TEST(Catalog, a_broken_entry_is_named) {
  const json::Value source =
      json::parse_own(R"({"tools":[{"name":"a","inputSchema":{}},{"name":"b"}]})");
  const auto page = read_tools(source.view());
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, ErrorCode::protocol_violation);
  EXPECT_EQ(page.error().where, "/tools/1/inputSchema");
  EXPECT_FALSE(read_tools(json::parse_own("{}").view()));
  EXPECT_FALSE(read_resources(json::parse_own(R"({"resources":[{"name":"a"}]})").view()));
}

TEST(Catalog, resources_templates_and_prompts_survive) {
  const json::Value resources = json::parse_own(
      R"({"resources":[{"uri":"a:1","name":"a","size":5,"mimeType":"text/plain"}]})");
  EXPECT_EQ(value_of(write_resources(*read_resources(resources.view()))), resources);
  const json::Value templates = json::parse_own(
      R"({"resourceTemplates":[{"name":"t","uriTemplate":"a:{id}","x":null}],"nextCursor":""})");
  EXPECT_EQ(value_of(write_resource_templates(*read_resource_templates(templates.view()))),
            templates);
  const json::Value prompts = json::parse_own(
      R"({"prompts":[{"name":"p","arguments":[{"name":"a","required":false,"y":1},{"name":"b",)"
      R"("required":true}]},{"name":"q"}]})");
  EXPECT_EQ(value_of(write_prompts(*read_prompts(prompts.view()))), prompts);
}

// Tool annotations of the protocol: without readOnlyHint a tool may write, without idempotentHint a
// repetition may write again, and idempotentHint says nothing about a tool that only reads.
TEST(Tool, may_be_retried_when_it_reads_or_is_idempotent) {
  struct Case {
    const char* annotations;
    bool may_retry;
  };
  for (const Case& one : {
           Case{"{}", false},
           Case{R"({"readOnlyHint":true})", true},
           Case{R"({"readOnlyHint":false})", false},
           Case{R"({"idempotentHint":true})", true},
           Case{R"({"idempotentHint":false})", false},
           Case{R"({"readOnlyHint":true,"idempotentHint":false})", true},
           Case{R"({"readOnlyHint":false,"idempotentHint":true})", true},
           Case{R"({"readOnlyHint":false,"idempotentHint":true,"destructiveHint":true})", true},
           Case{R"({"destructiveHint":false})", false},
           Case{R"({"readOnlyHint":"true","idempotentHint":1})", false},
           Case{"[true]", false},
       }) {
    EXPECT_EQ(may_retry(read_tool_hints(json::parse_own(one.annotations))), one.may_retry)
        << one.annotations;
  }
  EXPECT_FALSE(may_retry(read_tool_hints(std::nullopt)));
}

}  // namespace
}  // namespace enfold::mcp
