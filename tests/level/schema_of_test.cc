// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/schema_of.h"

#include "enfold/schema/schema.h"
#include "tests/level/memory_answers.h"

#include <gtest/gtest.h>

namespace enfold::level {
namespace {

using testing::Memory;
using testing::MemoryStored;

TEST(SchemaOf, each_level_has_its_members_and_requires_those_that_are_always_there) {
  const struct {
    const char* name;
    json::Value schema;
    std::string want;
  } cases[] = {
      {"minimal", schema_of<Memory>(Level::minimal),
       R"({"type":"object","properties":{"id":{"type":"string"},"content":{"type":"string"}},)"
       R"("required":["id","content"]})"},
      {"standard", schema_of<Memory>(Level::standard),
       R"({"type":"object","properties":{"id":{"type":"string"},"scope":{"type":"string"},)"
       R"("content":{"type":"string"}},"required":["id","scope","content"]})"},
      {"full", schema_of<Memory>(Level::full),
       R"({"type":"object","properties":{"id":{"type":"string"},"scope":{"type":"string"},)"
       R"("content":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}},)"
       R"("required":["id","scope","content","tags"]})"},
      {"full, where empties are pruned", schema_of<Memory>(Level::full, {Level::full}),
       R"({"type":"object","properties":{"id":{"type":"string"},"scope":{"type":"string"},)"
       R"("content":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}},)"
       R"("required":["id","scope","content"]})"},
      {"any", schema_of<Memory>(),
       R"({"type":"object","properties":{"id":{"type":"string"},"scope":{"type":"string"},)"
       R"("content":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}},)"
       R"("required":["id","content"]})"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(json::to_text(c.schema.view()), c.want);
  }
}

TEST(SchemaOf, conditional_and_optional_fields_are_not_required_and_descriptions_are_kept) {
  EXPECT_EQ(json::to_text(schema_of<MemoryStored>(Level::minimal).view()),
            R"({"type":"object","properties":{"success":{"type":"boolean"},)"
            R"("memory_id":{"type":"string",)"
            R"("description":"Handle for memory_get, memory_update and memory_delete"},)"
            R"("created_at":{"type":"string"},"scope":{"type":"string"},)"
            R"("metadata":{"type":"object","additionalProperties":{"type":"string"}}},)"
            R"("required":["success","memory_id","created_at"]})");
}

// What a field holds is only rendered from the field's own level on, so more of it is certain.
TEST(SchemaOf, a_struct_inside_a_later_field_promises_what_its_levels_show) {
  const json::Value schema = schema_of<MemoryStored>();
  const auto memory = schema->find("properties")->find("memory");
  EXPECT_EQ(json::to_text(*memory->find("required")), R"(["id","scope","content","tags"])");
}

struct Tree {
  int value = 0;
  std::vector<Tree> children;
  static constexpr auto fields() {
    return level::fields(level::field("value", &Tree::value, Level::minimal),
                         level::field("children", &Tree::children, Level::minimal).required());
  }
};

TEST(SchemaOf, a_type_that_holds_itself_is_described_once) {
  EXPECT_EQ(json::to_text(schema_of<Tree>().view()),
            R"({"type":"object","properties":{"value":{"type":"integer"},)"
            R"("children":{"type":"array","items":{"type":"object"}}},)"
            R"("required":["value","children"]})");
}

struct Kinds {
  unsigned count = 0;
  double ratio = 0;
  model::Severity severity = model::Severity::info;
  json::Value any;
  std::optional<int> required_none;
  std::vector<std::optional<bool>> holes;
  static constexpr auto fields() {
    return level::fields(level::field("count", &Kinds::count, Level::minimal),
                         level::field("ratio", &Kinds::ratio, Level::minimal),
                         level::field("severity", &Kinds::severity, Level::minimal),
                         level::field("any", &Kinds::any, Level::minimal).describe("whatever"),
                         level::field("none", &Kinds::required_none, Level::minimal).required(),
                         level::field("holes", &Kinds::holes, Level::standard));
  }
};

TEST(SchemaOf, every_type_of_field_has_its_schema) {
  EXPECT_EQ(json::to_text(schema_of<Kinds>().view()),
            R"({"type":"object","properties":{"count":{"type":"integer","minimum":0},)"
            R"("ratio":{"type":"number"},)"
            R"("severity":{"type":"string","enum":["info","warning","error"]},)"
            R"("any":{"description":"whatever"},)"
            R"("none":{"anyOf":[{"type":"integer"},{"type":"null"}]},)"
            R"("holes":{"type":"array","items":{"anyOf":[{"type":"boolean"},{"type":"null"}]}}},)"
            R"("required":["count","severity","none"]})");
}

struct Anything {
  std::vector<json::Value> items;
  std::map<std::string, json::Value> by_name;
  static constexpr auto fields() {
    return level::fields(level::field("items", &Anything::items, Level::minimal).required(),
                         level::field("by_name", &Anything::by_name, Level::minimal).required());
  }
};

TEST(SchemaOf, lists_and_maps_of_anything_hold_no_empty_schemas) {
  EXPECT_EQ(json::to_text(schema_of<Anything>().view()),
            R"({"type":"object","properties":{"items":{"type":"array"},)"
            R"("by_name":{"type":"object","additionalProperties":true}},)"
            R"("required":["items","by_name"]})");
}

TEST(SchemaOf, describes_what_render_writes_at_every_level) {
  MemoryStored plain;
  MemoryStored rich;
  rich.scope_changed = rich.metadata_generated = true;
  rich.metadata = {{"k", "v"}};
  rich.memory = Memory{"m", "s", std::string(200, 'c'), {"t"}};
  rich.associations = {"a"};
  for (const std::optional<Level> prune_up_to :
       {std::optional<Level>(), std::optional(Level::minimal), std::optional(Level::full)}) {
    const RenderOptions options{prune_up_to};
    for (const Level level : {Level::minimal, Level::standard, Level::full}) {
      for (const json::Value& schema :
           {schema_of<MemoryStored>(options), schema_of<MemoryStored>(level, options)}) {
        const Result<schema::Schema> compiled = schema::Schema::compile(schema);
        ASSERT_TRUE(compiled) << compiled.error().message;
        for (const MemoryStored& answer : {plain, rich}) {
          const json::Value rendered = render(answer, level, options);
          EXPECT_TRUE(compiled->accepts(rendered.view()).value())
              << json::to_text(schema.view()) << "\n"
              << json::to_text(rendered.view());
        }
      }
    }
  }
}

}  // namespace
}  // namespace enfold::level
