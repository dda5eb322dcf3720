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
    for (const json::View item : list->find("tools")->items()) {
      const auto tool = read_tool(item);
      ASSERT_TRUE(tool) << file << tool.error().message;
      json::Writer writer;
      write(writer, *tool, Era::stateless);
      EXPECT_EQ(std::move(writer).finish().str(), json::to_text(item)) << file;
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

TEST(Catalog, an_output_schema_of_no_object_is_wrapped_for_sessions) {
  const json::Value source = json::parse_own(
      R"({"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}})");
  const std::vector<Tool> tools{*read_tool(source.view())};
  EXPECT_EQ(
      json::to_text(value_of(write_tools(tools, Era::sessions)).view()),
      R"({"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":)"
      R"({"type":"object","properties":{"result":{"type":"array"}},"required":["result"]}}]})");
  EXPECT_EQ(json::to_text(value_of(write_tools(tools, Era::stateless)).view()),
            R"({"tools":[)" + json::to_text(source.view()) + "]}");
}

TEST(Catalog, a_tool_without_a_schema_is_refused) {
  const auto tool = read_tool(json::parse_own(R"({"name":"b"})").view());
  ASSERT_FALSE(tool);
  EXPECT_EQ(tool.error().code, ErrorCode::protocol_violation);
  EXPECT_EQ(tool.error().where, "/inputSchema");
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
