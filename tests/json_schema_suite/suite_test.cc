// SPDX-License-Identifier: Apache-2.0
// Runs the official JSON Schema test suite: every required test of both dialects must pass, there
// is no list of exceptions. Optional tests are counted and printed.
#include "enfold/schema/schema.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

namespace enfold::json {
namespace {

namespace fs = std::filesystem;

const fs::path kSuite = ENFOLD_JSON_SCHEMA_SUITE;

struct Draft {
  std::string folder;
  schema::Dialect dialect;
};

void PrintTo(const Draft& draft, std::ostream* out) { *out << draft.folder; }

const Draft kDrafts[] = {{"draft2020-12", schema::Dialect::draft_2020_12},
                         {"draft7", schema::Dialect::draft_07}};

Value read_json(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto document = parse(std::string_view(text));
  EXPECT_TRUE(document) << path << ": " << (document ? "" : document.error().message);
  return document ? document->value() : Value();
}

std::vector<fs::path> json_files(const fs::path& folder, bool recursive) {
  std::vector<fs::path> files;
  const auto take = [&](const fs::path& path) {
    if (path.extension() == ".json") files.push_back(path);
  };
  if (recursive) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) take(entry.path());
  } else {
    for (const auto& entry : fs::directory_iterator(folder)) take(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

schema::Registry read_remotes() {
  schema::Registry registry;
  for (const fs::path& path : json_files(kSuite / "remotes", true)) {
    const std::string name = fs::relative(path, kSuite / "remotes").generic_string();
    registry.emplace("http://localhost:1234/" + name, read_json(path));
  }
  return registry;
}

struct Figures {
  std::size_t passed = 0;
  std::size_t total = 0;
  std::vector<std::string> failures;
};

void run_group(const std::string& file, View group, const schema::Options& options,
               Figures& figures) {
  const auto schema = schema::Schema::compile(Value(*group.find("schema")), options);
  for (const View test : group.find("tests")->items()) {
    ++figures.total;
    const std::string name = file + ": " + group.find("description")->string() + ": " +
                             test.find("description")->string();
    if (!schema) {
      figures.failures.push_back(name + ": " + schema.error().message + " at " +
                                 schema.error().where);
      continue;
    }
    const View instance = *test.find("data");
    const bool want = test.find("valid")->boolean();
    const auto accepts = schema->accepts(instance);
    const auto validation = schema->validate(instance);
    if (!accepts || !validation) {
      figures.failures.push_back(name + ": " +
                                 (accepts ? validation.error() : accepts.error()).message);
    } else if (*accepts != want) {
      figures.failures.push_back(name + ": expected " + (want ? "valid" : "invalid"));
    } else if (validation->valid != want || validation->violations.empty() != want) {
      figures.failures.push_back(name + ": validate and accepts disagree");
    } else {
      ++figures.passed;
    }
  }
}

Figures run_files(const std::vector<fs::path>& files, const schema::Options& options) {
  Figures figures;
  for (const fs::path& path : files) {
    const Value groups = read_json(path);
    for (const View group : groups->items()) {
      run_group(path.filename().string(), group, options, figures);
    }
  }
  return figures;
}

class JsonSchemaSuite : public testing::TestWithParam<Draft> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(fs::exists(kSuite / "tests"))
        << "The JSON Schema test suite was not found when the build was configured. Install the "
           "Debian package libtest-json-schema-acceptance-perl and configure again, or set "
           "ENFOLD_JSON_SCHEMA_SUITE to the folder with its tests/ and remotes/.";
    registry_ = read_remotes();
    options_.registry = &registry_;
    options_.default_dialect = GetParam().dialect;
  }

  schema::Registry registry_;
  schema::Options options_;
};

TEST_P(JsonSchemaSuite, passes_every_required_test) {
  const Figures figures =
      run_files(json_files(kSuite / "tests" / GetParam().folder, false), options_);
  std::printf("json schema suite %s: %zu of %zu passed\n", GetParam().folder.c_str(),
              figures.passed, figures.total);
  for (const std::string& failure : figures.failures) ADD_FAILURE() << failure;
  EXPECT_GT(figures.total, 500U);
}

// Formats are annotations here, so the suite's tests of them as assertions do not apply.
TEST_P(JsonSchemaSuite, optional_tests_are_counted) {
  std::size_t total = 0;
  for (const fs::path& path :
       json_files(kSuite / "tests" / GetParam().folder / "optional", false)) {
    const Figures figures = run_files({path}, options_);
    total += figures.total;
    if (figures.total == 0) continue;
    std::printf("json schema suite %s optional %s: %zu of %zu passed\n", GetParam().folder.c_str(),
                path.stem().c_str(), figures.passed, figures.total);
  }
  EXPECT_GT(total, 50U);
}

INSTANTIATE_TEST_SUITE_P(Drafts, JsonSchemaSuite, testing::ValuesIn(kDrafts), [](const auto& test) {
  return test.param.dialect == schema::Dialect::draft_07 ? "draft_07" : "draft_2020_12";
});

}  // namespace
}  // namespace enfold::json
