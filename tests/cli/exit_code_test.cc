// SPDX-License-Identifier: Apache-2.0
// The exit codes are a promise: pinned here as numbers, and told the same way by the help page and
// by docs/reference/command-line.md.
#include "cli/terminal/terminal.h"
#include "enfold/base/result.h"
#include "tests/cli/program.h"
#include "tests/support/goldens.h"

#include <map>
#include <sstream>

namespace enfold::cli {
namespace {

using ::testing::HasSubstr;

// Code → third column of the table under "Exit codes".
std::map<int, std::string> documented_codes() {
  std::istringstream page(testing::read_file(testing::Path(ENFOLD_SOURCE_DIR) / "docs" /
                                             "reference" / "command-line.md"));
  std::map<int, std::string> codes;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| code |")) inside = true;
    if (line.empty()) inside = false;
    if (!inside || !line.starts_with("| ") || line[3] != ' ' || line[2] < '0' || line[2] > '9') {
      continue;
    }
    const std::size_t column = line.rfind(" | ", line.size() - 2);
    codes[line[2] - '0'] = line.substr(column + 3, line.size() - column - 5);
  }
  return codes;
}

TEST(ExitCode, is_one_of_six_pinned_numbers) {
  EXPECT_EQ(kOk, 0);
  EXPECT_EQ(kUnexpected, 1);
  EXPECT_EQ(kNegative, 2);
  EXPECT_EQ(kUnsupported, 3);
  EXPECT_EQ(kBadInput, 4);
  EXPECT_EQ(kBadUsage, 5);
  EXPECT_EQ(documented_codes().size(), 6U);
}

TEST(ExitCode, of_every_error_is_the_documented_one) {
  const std::map<int, std::string> documented = documented_codes();
  std::map<int, std::string> actual;
  for (int code = kOk; code <= kBadUsage; ++code) {
    for (int i = 0; i <= static_cast<int>(ErrorCode::internal); ++i) {
      const ErrorMapping& mapped = mapping(static_cast<ErrorCode>(i));
      if (mapped.exit_code != code) continue;
      actual[code] += (actual[code].empty() ? "`" : ", `") + std::string(mapped.name) + "`";
    }
    if (actual[code].empty()) actual[code] = "–";
  }
  EXPECT_EQ(documented, actual);
}

TEST(ExitCode, is_told_by_the_help_page) {
  EXPECT_THAT(execute({.arguments = {"--help"}}),
              ends(kOk,
                   HasSubstr("Exit codes: 0 ok, 1 unexpected, 2 negative answer, 3 unsupported, "
                             "4 bad input, 5 bad usage.\n"),
                   ""));
}

}  // namespace
}  // namespace enfold::cli
