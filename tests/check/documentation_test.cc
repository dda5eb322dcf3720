// SPDX-License-Identifier: Apache-2.0
// docs/guide/check.md has a row for every rule, and for nothing else.
#include "enfold/check/report.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::check {
namespace {

TEST(Documentation, lists_the_rules_in_their_order) {
  std::ifstream page(ENFOLD_SOURCE_DIR "/docs/guide/check.md");
  std::vector<std::string> listed;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| rule |")) {
      inside = true;
    } else if (inside && line.starts_with("| `")) {
      listed.push_back(line.substr(3, line.find('`', 3) - 3));
    } else if (!line.starts_with("|")) {
      inside = false;
    }
  }
  std::vector<std::string> names;
  for (const RuleInfo& rule : rules()) names.emplace_back(rule.name);
  EXPECT_EQ(listed, names);
}

}  // namespace
}  // namespace enfold::check
