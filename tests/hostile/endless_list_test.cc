// SPDX-License-Identifier: Apache-2.0
// Servers whose lists never end.
#include "tests/gateway/meeting.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> reports(const Meeting& meeting) {
  std::vector<std::string> notes;
  for (const serve::LogLine& line : meeting.lines) {
    if (line.event == "list_cut_short") notes.push_back(line.note);
  }
  return notes;
}

// Each page has another cursor. Before there was a limit for bytes, 1,000 pages of 7 MB took 7 GB.
TEST(EndlessList, ends_with_what_was_read_and_one_warning) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_ENDLESS", "1500000")));
  const std::vector<std::string> names = meeting.tool_names();
  EXPECT_GE(names.size(), 2U);
  EXPECT_LE(names.size(), 6U) << "2 items have at most 4 MiB; some are tools of the gateway";
  EXPECT_EQ(meeting.tool_names().size(), names.size());
  ASSERT_EQ(reports(meeting).size(), 1U);
  EXPECT_THAT(reports(meeting).front(), HasSubstr("tools/list is not complete"));
}

TEST(EndlessList, of_small_pages_ends_too) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_ENDLESS", "10")));
  EXPECT_LE(meeting.tool_names().size(), 1'010U);
  EXPECT_THAT(reports(meeting), ::testing::ElementsAre(HasSubstr("pages")));
}

// 14 MB of small tools became an answer of 160 MB, written again for each client that listed.
TEST(EndlessList, of_small_tools_is_cut) {
  std::string tools;
  for (int i = 0; i < 1'500; ++i) {
    tools += fmt::format(R"({}{{"name":"t{}","inputSchema":{{"type":"object"}}}})",
                         i == 0 ? "" : ",", i);
  }
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_TOOL", tools)));
  EXPECT_LE(meeting.tool_names().size(), 1'010U);
  EXPECT_THAT(reports(meeting), ::testing::ElementsAre(HasSubstr("1000 items")));
}

TEST(EndlessList, whose_first_page_is_too_large_is_empty) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_ENDLESS", "17000000")));
  EXPECT_LE(meeting.tool_names().size(), 4U);
  EXPECT_THAT(reports(meeting), ::testing::ElementsAre(HasSubstr("bytes")));
}

}  // namespace
}  // namespace enfold::gateway
