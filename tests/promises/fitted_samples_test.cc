// SPDX-License-Identifier: Apache-2.0
// Recorded answers through the whole pipeline: they stay valid against what is announced for their
// tool, and lists use the budget that they are given.
#include "enfold/answer/announced_schema.h"
#include "enfold/schema/schema.h"
#include "enfold/store/stores.h"
#include "tests/answer/answers.h"
#include "tests/budget/data_sets.h"
#include "tests/promises/pipeline_property.h"
#include "tests/support/goldens.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace enfold::answer {
namespace {

using contract::Id;
using testing::Path;

constexpr std::array kContracts{Id::response_v2, Id::response_v1, Id::generic, Id::scalpel_v1,
                                Id::memory};

struct Sample {
  std::string name;
  std::string tool;
  json::Value result;
  std::optional<json::Value> output_schema;
};

std::vector<Sample> samples() {
  std::vector<Sample> samples;
  for (const Path& file : testing::entries_of(testing::golden_folder() / "samples")) {
    const json::Value sample = testing::read_json_file(file);
    const auto tool = sample->find("toolDefinition");
    const auto schema = tool ? tool->find("outputSchema") : std::nullopt;
    samples.push_back({file.filename(), sample->find("tool")->string(),
                       json::Value(*sample->find("result")),
                       schema ? std::optional(json::Value(*schema)) : std::nullopt});
  }
  return samples;
}

json::Value result_with(const json::Value& structured) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array().end_array();
  writer.member("structuredContent", structured).end_object();
  return std::move(writer).finish_value();
}

// The recordings of some tools are short; these are longer ones of the same tools and schemas.
std::vector<Sample> with_longer_ones(std::vector<Sample> all) {
  const auto of_tool = [&](std::string_view tool) {
    return *std::find_if(all.begin(), all.end(), [&](const Sample& s) { return s.tool == tool; });
  };
  Sample nodes = of_tool("search_nodes");
  nodes.name = "search_nodes, long";
  nodes.result = of_tool("read_graph").result;
  Sample folder = of_tool("list_directory");
  folder.name = "list_directory, long";
  std::string listing;
  for (int i = 0; i < 2'000; ++i) listing += "[FILE] report-" + std::to_string(i) + ".txt\n";
  folder.result =
      result_with(json::parse_own(std::string(R"({"content":)") + json::quote(listing) + "}"));
  all.push_back(std::move(nodes));
  all.push_back(std::move(folder));
  return all;
}

Result<answer::FittedAnswer> fitted(const json::Value& result,
                                    const answer::FitSettings& settings) {
  const auto archive = store::memory_archive();
  const auto document = json::parse(json::to_text(result.view()));
  auto prepared = answer::prepare(*document, Id::mcp, settings, {.tool = "tool"});
  if (!prepared) return tl::unexpected(prepared.error());
  Result<answer::Receipt> receipt = answer::Receipt{};
  if (!prepared->fits) {
    const auto stored = archive->put("ann", prepared->to_store(), {}, store::Time{});
    if (!stored) return tl::unexpected(stored.error());
    receipt = answer::Receipt{stored->handle, stored->hash};
  }
  return answer::finish(std::move(*prepared), receipt, settings);
}

void expect_valid(const json::Value& schema, json::View document, const std::string& what) {
  const auto compiled = schema::Schema::compile(schema);
  ASSERT_TRUE(compiled) << what << ": " << compiled.error().message;
  const auto validation = compiled->validate(document);
  ASSERT_TRUE(validation) << what;
  EXPECT_TRUE(validation->valid) << what << ": " << validation->violations.front().instance
                                 << " expected " << validation->violations.front().expected
                                 << " found " << validation->violations.front().found;
}

TEST(Promise, always_valid_when_fitted) {
  testing::check_pipeline("always_valid_when_fitted", {testing::check_always_valid});
}

TEST(FittedSamples, stay_valid_against_the_schema_that_is_announced) {
  std::set<std::string> cut_inside_its_schema;
  for (const Sample& sample : with_longer_ones(samples())) {
    if (!sample.output_schema) continue;
    const auto schema = budget::OutputSchema::compile(*sample.output_schema);
    ASSERT_TRUE(schema) << sample.name;
    for (const Id id : kContracts) {
      const json::Value announced = answer::announced_schema(id, sample.output_schema->view());
      for (const std::size_t tokens : {300U, 1'000U, 4'000U}) {
        const std::string what =
            sample.name + ", " + std::string(contract::name(id)) + ", " + std::to_string(tokens);
        answer::FitSettings settings;
        settings.shape.contract = id;
        settings.budget = {tokens, 1'000'000, std::nullopt};
        settings.target = tokens;
        settings.schema = &*schema;
        const auto finished = fitted(sample.result, settings);
        ASSERT_TRUE(finished) << what << ": " << finished.error().message;
        const auto envelope = answer::write_envelope(finished->answer, settings.shape);
        const json::Value document = json::parse_own(envelope->str());
        EXPECT_LE(token::o200k_base().count(envelope->str()), tokens) << what;
        expect_valid(*contract::schema(id), document.view(), what);
        expect_valid(announced, document.view(), what);
        if (id != Id::response_v2 || !document->find("success")->boolean()) continue;
        if (finished->fitted.fidelity > model::Fidelity::partial) {
          // A required Base64 member cannot be cut.
          EXPECT_EQ(sample.tool, "read_media_file") << what;
          continue;
        }
        expect_valid(*sample.output_schema, *document->find("data"), what + ", data");
        if (finished->fitted.fidelity == model::Fidelity::partial) {
          cut_inside_its_schema.insert(sample.tool);
        }
      }
    }
  }
  for (const char* tool :
       {"read_graph", "search_nodes", "directory_tree", "read_text_file", "list_directory"}) {
    EXPECT_TRUE(cut_inside_its_schema.contains(tool)) << tool << " was never cut";
  }
}

// What is left over is what the next part would not have fitted into.
TEST(FittedSamples, lists_use_at_least_95_percent_of_their_budget) {
  std::map<std::string, json::Value> answers;
  for (const Sample& sample : samples()) answers[sample.name] = sample.result;
  answers["issues"] = result_with(testing::issues(500));
  for (int kind = 0; kind < 2; ++kind) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      answers["list " + std::to_string(kind) + " " + std::to_string(seed)] =
          result_with(testing::random_payload(kind, 600, seed));
    }
  }
  int cut = 0;
  for (const auto& [name, result] : answers) {
    if (result->find("isError") && result->find("isError")->boolean()) continue;
    for (const std::size_t tokens : {2'000U, 4'000U, 10'000U, 25'000U}) {
      answer::FitSettings settings;
      settings.budget = {tokens, 1'000'000, std::nullopt};
      settings.target = tokens;
      const auto finished = fitted(result, settings);
      ASSERT_TRUE(finished) << name;
      if (finished->fitted.fidelity == model::Fidelity::full) continue;
      ++cut;
      EXPECT_LE(finished->size.tokens, tokens) << name;
      // Of Base64 only a prefix is shown, whatever room there is.
      const auto& facts = finished->fitted.facts;
      if (facts && json::to_text(facts->view()).find("\"base64\"") != std::string::npos) continue;
      EXPECT_GE(finished->size.tokens, tokens * 95 / 100) << name << ", " << tokens;
    }
  }
  EXPECT_GE(cut, 30) << "too few answers were cut to show anything";
}

}  // namespace
}  // namespace enfold::answer
