// SPDX-License-Identifier: Apache-2.0
// Finds and reads the golden files of tests/golden.
#pragma once

#include "enfold/json/document.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace enfold::testing {

using Path = std::filesystem::path;

[[nodiscard]] inline Path golden_folder() { return Path(ENFOLD_SOURCE_DIR) / "tests" / "golden"; }

[[nodiscard]] inline std::string read_file(const Path& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << "cannot read " << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Sorted, so that failures come in the same order everywhere. Never empty.
[[nodiscard]] inline std::vector<Path> entries_of(const Path& folder) {
  std::vector<Path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() != "README.md") entries.push_back(entry.path());
  }
  std::sort(entries.begin(), entries.end());
  EXPECT_FALSE(entries.empty()) << folder;
  return entries;
}

[[nodiscard]] inline json::Value read_json_file(const Path& file) {
  auto document = json::parse(read_file(file));
  EXPECT_TRUE(document) << file << ": " << (document ? "" : document.error().message);
  return document ? document->value() : json::Value();
}

}  // namespace enfold::testing
