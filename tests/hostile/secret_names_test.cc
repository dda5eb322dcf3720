// SPDX-License-Identifier: Apache-2.0
// Secrets where only names are expected.
#include "tests/gateway/meeting.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kToken = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

TEST(SecretNames, are_redacted_in_methods_of_notifications) {
  Meeting meeting(in_front_of(upstream()));
  meeting.call("line",
               fmt::format(R"({{"raw":{}}})",
                           json::quote(fmt::format(
                               R"({{"jsonrpc":"2.0","method":"notifications/x/{}"}})", kToken))));
  ASSERT_FALSE(meeting.heard.empty());
  const std::string notice = json::to_text(meeting.heard.front().view());
  EXPECT_THAT(notice, HasSubstr("notifications/x/[REDACTED"));
  EXPECT_THAT(notice, Not(HasSubstr(kToken)));
}

TEST(SecretNames, are_redacted_in_keys_of_tools) {
  Meeting meeting(in_front_of(with_environment(
      upstream(), "ENFOLD_TEST_TOOL",
      fmt::format(R"({{"name":"one","inputSchema":{{"type":"object","properties":)"
                  R"({{"{0}":{{}},"password":{{"type":"string"}}}}}},"_meta":{{"{0}":1}}}})",
                  kToken))));
  const std::string list = json::to_text(meeting.ask("tools/list", "{}").view());
  EXPECT_THAT(list, Not(HasSubstr(kToken)));
  EXPECT_THAT(list, HasSubstr(R"("password":{"type":"string"})"));
}

}  // namespace
}  // namespace enfold::gateway
