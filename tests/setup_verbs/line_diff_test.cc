// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/line_diff.h"

#include "tests/support/cases.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <vector>

namespace enfold::cli {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

struct Patched {
  std::string text;
  std::size_t changes = 0;  ///< removed and added lines
};

// What `patch` makes of `before`; fails the property if the difference does not fit it.
Patched patched(const std::string& before, const std::string& difference) {
  const std::vector<std::string> old_lines = lines_of(before);
  std::vector<std::string> steps = lines_of(difference);
  Patched out;
  std::size_t next = 0;  // line of `before`
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::string line = steps[i];
    const bool is_unended = i + 1 < steps.size() && steps[i + 1].starts_with('\\');
    if (is_unended) line.pop_back();
    if (line.starts_with("@@")) {
      std::size_t begin = 0;
      std::size_t count = 0;
      RC_ASSERT(std::sscanf(line.c_str(), "@@ -%zu,%zu", &begin, &count) == 2);
      for (const std::size_t first = begin - (count > 0 ? 1 : 0); next < first; ++next) {
        out.text += old_lines.at(next);
      }
    } else if (line.starts_with('+')) {
      out.text += line.substr(1);
      ++out.changes;
    } else if (!line.starts_with('\\')) {
      RC_ASSERT(old_lines.at(next++) == line.substr(1));
      if (line.starts_with(' ')) out.text += line.substr(1);
      out.changes += line.starts_with('-') ? 1 : 0;
    }
  }
  while (next < old_lines.size()) out.text += old_lines[next++];
  return out;
}

// Lines of few kinds, so that many are equal.
std::string some_text() {
  std::string out;
  for (int i = *rc::gen::inRange(0, 24); i > 0; --i) {
    out += *rc::gen::element<std::string>("a\n", "b\n", "c\n", "\n", "{\r\n");
  }
  return out + *rc::gen::element<std::string>("", "a", "}");
}

TEST(LineDiff, is_empty_for_equal_texts) {
  EXPECT_EQ(line_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(line_diff("", ""), "");
}

TEST(LineDiff, shows_three_lines_around_a_change) {
  EXPECT_EQ(line_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(line_diff("a\n", "a"), "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n");
  EXPECT_EQ(line_diff("", "a\n"), "@@ -0,0 +1,1 @@\n+a\n");
}

TEST(LineDiff, leads_from_one_text_to_the_other) {
  testing::check_property("line_diff", testing::property_cases(5'000, 500'000), [] {
    const std::string before = some_text();
    const std::string after = some_text();
    RC_ASSERT(patched(before, line_diff(before, after)).text == after);
  });
}

TEST(LineDiff, has_no_more_lines_than_were_changed) {
  testing::check_property("line_diff_short", testing::property_cases(2'000, 200'000), [] {
    std::vector<std::string> lines = lines_of(some_text() + "\n");
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, lines.size());
    std::string before;
    std::string after;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      before += lines[i];
      after += i == at ? "changed\n" : lines[i];
    }
    const Patched result = patched(before, line_diff(before, after));
    RC_ASSERT(result.text == after);
    RC_ASSERT(result.changes == 2U);
  });
}

}  // namespace
}  // namespace enfold::cli
