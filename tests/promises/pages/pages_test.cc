// SPDX-License-Identifier: Apache-2.0
// A client that follows the pages of a list until there is no more reads every record exactly once.
// The calls pass through the gateway and through the program, in front of a server in a process.
#include "enfold/client/blocking.h"
#include "tests/gateway/meeting.h"
#include "tests/promises/pages/client.h"

#include <filesystem>

namespace enfold::gateway {
namespace {

using testing::follow;

TEST(Pages, of_a_list_are_read_to_the_end_with_every_record_exactly_once) {
  const int cases = testing::property_cases(300, 20'000);
  Meeting meeting(in_front_of(upstream()));
  const int wrong = follow(
      cases, [&](const std::string& tool, const std::string& arguments, const std::string& meta) {
        meeting.heard.clear();
        meeting.bytes.clear();
        return meeting.call(tool, arguments, meta);
      });
  EXPECT_EQ(wrong, 0) << "of " << cases;
}

TEST(Pages, of_a_list_are_read_through_the_program_as_well) {
  const std::string home = ::testing::TempDir() + "enfold_pages";
  std::filesystem::create_directories(home);
  client::StdioTarget target;
  target.command = {ENFOLD_PROGRAM, "wrap", "--", ENFOLD_TEST_UPSTREAM};
  target.environment = {{"HOME", home}, {"XDG_STATE_HOME", home}, {"XDG_DATA_HOME", home}};
  auto client = client::BlockingClient::open(target, {});
  ASSERT_TRUE(client && (*client)->connect()) << "no server";
  const int cases = testing::property_cases(20, 200);
  const int wrong = follow(cases, [&](const std::string& tool, const std::string& arguments,
                                      const std::string& meta) {
    const auto result = (*client)->request(
        "tools/call", json::parse_own(fmt::format(R"({{"name":"{}","arguments":{},"_meta":{}}})",
                                                  tool, arguments, meta)));
    return result ? *result : json::parse_own("{}");
  });
  EXPECT_EQ(wrong, 0) << "of " << cases;
  (*client)->close();
  std::filesystem::remove_all(home);
}

}  // namespace
}  // namespace enfold::gateway
