// SPDX-License-Identifier: Apache-2.0
// docs/guide/levels.md shows code that compiles and results that are true.
#include "enfold/json/write.h"
#include "enfold/level/render.h"
#include "enfold/level/schema_of.h"
#include "enfold/level/settings.h"
#include "tests/level/memory_answers.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace enfold::level {
namespace {

using testing::Memory;
using testing::MemoryStored;

std::string file(const std::string& path) {
  std::ifstream in(ENFOLD_SOURCE_DIR "/" + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  const std::string fence = "```";
  const std::string opening = "\n" + fence + language + "\n";
  std::vector<std::string> found;
  for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at)) {
    at += opening.size();
    const std::size_t end = text.find(fence, at);
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

// Indentation and line breaks are the place's business.
std::string without_space(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n'; }),
             text.end());
  return text;
}

TEST(Documentation, code_in_the_page_is_code_of_the_tests) {
  const std::string compiled = without_space(file("tests/level/memory_answers.h") +
                                             file("tests/level/documentation_test.cc"));
  const std::vector<std::string> shown = blocks(file("docs/guide/levels.md"), "cpp");
  EXPECT_EQ(shown.size(), 4U);
  for (const std::string& block : shown) {
    EXPECT_NE(compiled.find(without_space(block)), std::string::npos) << block;
  }
}

struct Page {
  json::Value minimal_memory;
  json::Value settings;
  json::Value payload;
  json::Value standard;
  json::Value minimal;
};

Page page() {
  std::vector<std::string> json = blocks(file("docs/guide/levels.md"), "json");
  EXPECT_EQ(json.size(), 5U);
  json.resize(5, "null");
  return {json::parse_own(json[0]), json::parse_own(json[1]), json::parse_own(json[2]),
          json::parse_own(json[3]), json::parse_own(json[4])};
}

TEST(Documentation, the_declared_answer_renders_as_shown) {
  MemoryStored answer;
  answer.memory_id = "mem_1";
  answer.created_at = "2025-01-01T00:00:00Z";
  answer.scope = "work";
  EXPECT_EQ(render(answer, Level::minimal), page().minimal_memory);
}

TEST(Documentation, the_configuration_gives_the_levels_shown) {
  const Page shown = page();
  const Result<Settings> settings = read_settings(shown.settings.view());
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(determine_response_level(settings->levels, {.tool = "search_issues"}).level,
            Level::minimal);
  EXPECT_EQ(determine_response_level(settings->levels, {.tool = "other"}).level, Level::standard);

  const level::ProjectionConfig config{
      {"search_issues",
       {{Level::standard, {}, {"/**/_links", "/items/*/body"}},
        {Level::minimal, {"/total_count", "/items/*/number", "/items/*/title"}, {}}}}};
  const Result<level::ProjectionSet> projections = level::ProjectionSet::compile(config);
  ASSERT_TRUE(projections) << projections.error().message;

  for (const ProjectionSet& set : {settings->projections, *projections}) {
    const auto at = [&](Level level) {
      return set.project(shown.payload.view(), "search_issues", level);
    };
    EXPECT_EQ(at(Level::full), shown.payload);
    EXPECT_EQ(at(Level::standard), shown.standard);
    EXPECT_EQ(at(Level::minimal), shown.minimal);
  }
}

TEST(Documentation, the_two_schemas_are_what_the_page_says) {
  json::Value announced = level::schema_of<MemoryStored>();
  json::Value exact = level::schema_of<MemoryStored>(Level::standard);
  EXPECT_EQ(announced->find("properties")->size(), 8U);
  EXPECT_EQ(json::to_text(*announced->find("required")), R"(["success","memory_id","created_at"])");
  EXPECT_EQ(exact->find("properties")->size(), 6U);
  EXPECT_EQ(json::to_text(*exact->find("required")),
            R"(["success","memory_id","created_at","message"])");
}

}  // namespace
}  // namespace enfold::level
