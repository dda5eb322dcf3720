// SPDX-License-Identifier: Apache-2.0
// The documents' own examples, refusals of each contract, and recorded answers of real servers.
#include "enfold/contract/contract.h"
#include "enfold/json/pointer.h"
#include "enfold/schema/schema.h"
#include "tests/support/goldens.h"

#include <gtest/gtest.h>
#include <map>

namespace enfold::contract {
namespace {

using testing::entries_of;
using testing::golden_folder;
using testing::Path;
using testing::read_json_file;

const schema::Schema& schema_of(Id id) {
  static std::map<Id, schema::Schema> compiled;
  auto found = compiled.find(id);
  if (found == compiled.end()) {
    auto schema = schema::Schema::compile(*contract::schema(id));
    EXPECT_TRUE(schema) << (schema ? "" : schema.error().message);
    found = compiled.emplace(id, *schema).first;
  }
  return found->second;
}

std::string violations_of(Id id, json::View document) {
  const auto validation = schema_of(id).validate(document);
  if (!validation) return validation.error().message;
  std::string out;
  for (const auto& violation : validation->violations) {
    out += violation.instance + ": expected " + violation.expected + ", found " + violation.found +
           "\n";
  }
  return out;
}

TEST(Golden, every_documented_example_is_valid_and_detected) {
  for (const Path& folder : entries_of(golden_folder() / "seeds")) {
    const Id id = *from_name(folder.filename().string());
    for (const Path& entry : entries_of(folder)) {
      const json::Value source = read_json_file(entry / "input.json");
      EXPECT_EQ(violations_of(id, source.view()), "") << entry;
      EXPECT_EQ(detect(source.view()), id) << entry;
    }
  }
}

TEST(Golden, every_refusal_is_refused_at_its_place) {
  for (const Path& folder : entries_of(golden_folder() / "invalid")) {
    const std::string name = folder.filename().string();
    const Id id = name == "mcp-result" ? Id::mcp : *from_name(name);
    for (const Path& entry : entries_of(folder)) {
      const json::Value source = read_json_file(entry / "input.json");
      const json::Value about = read_json_file(entry / "about.json");
      const auto validation = schema_of(id).validate(source.view());
      ASSERT_TRUE(validation) << entry;
      EXPECT_FALSE(validation->valid) << entry;
      const std::string pointer = about->find("pointer")->string();
      bool named = false;
      // A missing member is told at the object that lacks it.
      const std::string parent =
          pointer.substr(0, pointer.rfind('/') == std::string::npos ? 0 : pointer.rfind('/'));
      for (const auto& violation : validation->violations) {
        named = named || violation.instance == pointer || violation.instance == parent;
      }
      EXPECT_TRUE(named) << entry << " expected a violation at \"" << pointer << "\", found\n"
                         << violations_of(id, source.view());
    }
  }
}

std::size_t count_blocks(json::View result) {
  const auto content = result.find("content");
  return content ? content->size() : 0;
}

TEST(Golden, recorded_answers_become_valid_in_every_contract) {
  std::size_t answers = 0;
  for (const Path& file : entries_of(golden_folder() / "samples")) {
    const json::Value sample = read_json_file(file);
    const auto result = sample->find("result");
    if (!result) continue;
    ++answers;
    const bool is_error = result->find("isError") && result->find("isError")->boolean();
    const auto reading = read(Id::mcp, *result, {.tool = sample->find("tool")->string()});
    ASSERT_TRUE(reading) << file;
    EXPECT_EQ(succeeded(reading->response), !is_error) << file;
    for (const Id to :
         {Id::response_v2, Id::generic, Id::scalpel_v1, Id::response_v1, Id::memory}) {
      for (const bool extensions : {true, false}) {
        ConvertOptions options{.extensions = extensions};
        options.render.fallback_request_id = "req_000000000000";
        const auto output = write(*reading, to, options);
        ASSERT_TRUE(output) << file;
        const json::Value document = json::parse_own(output->str());
        EXPECT_EQ(violations_of(to, document.view()), "") << file << " to " << name(to);
        EXPECT_EQ(succeeded(read(to, document.view())->response), !is_error)
            << file << " to " << name(to);
      }
    }
  }
  EXPECT_GE(answers, 60U);
}

// Every text and every other block is found again: in the data, or among the blocks beside it.
TEST(Golden, recorded_answers_keep_every_block) {
  for (const Path& file : entries_of(golden_folder() / "samples")) {
    const json::Value sample = read_json_file(file);
    const auto result = sample->find("result");
    if (!result || count_blocks(*result) == 0) continue;
    const auto reading = read(Id::mcp, *result);
    ASSERT_TRUE(reading) << file;
    const json::Value document = json::parse_own(write(*reading, Id::response_v2, {})->str());
    const auto again = read(Id::response_v2, document.view());
    ASSERT_TRUE(again) << file;
    EXPECT_TRUE(again->response == reading->response) << file;
    json::Writer writer;
    render(Id::mcp, again->response, {}, writer);
    const json::Value back = std::move(writer).finish_value();
    if (result->find("structuredContent") || count_blocks(*result) == 1)
      continue;  // may be shown once
    EXPECT_EQ(count_blocks(back.view()), count_blocks(*result)) << file;
    EXPECT_TRUE(json::equal(*back->find("content"), *result->find("content"))) << file;
  }
}

}  // namespace
}  // namespace enfold::contract
