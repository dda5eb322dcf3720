// SPDX-License-Identifier: Apache-2.0
// Servers of files ask for roots as soon as they are connected, which is before the client of the
// gateway has finished its handshake or called anything.
#include "tests/gateway/front.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRoots = R"({"roots":[{"uri":"file:///home/ada/project"}]})";

UpstreamSettings asking() {
  return with_environment(upstream("sessions"), "ENFOLD_TEST_ASKS_ROOTS", "1");
}

/// The server may still be reading what it was sent.
bool has_server_heard(Meeting& meeting, const std::string& text) {
  return meeting.loop.until(
      [&] { return json::to_text(meeting.call("heard").view()).find(text) != std::string::npos; });
}

TEST(EarlyQuestions, reach_the_client_of_wrap_when_it_is_ready) {
  Meeting meeting(in_front_of(asking()), R"({"roots":{"listChanged":true}})");
  const json::Value question = meeting.wait_for_method("roots/list");
  meeting.say(
      fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", at(question, "/id"), kRoots));
  EXPECT_TRUE(has_server_heard(meeting, "file:///home/ada/project"));
}

TEST(EarlyQuestions, are_refused_for_a_client_that_cannot_answer) {
  Meeting meeting(in_front_of(asking()));
  EXPECT_TRUE(has_server_heard(meeting, "-32601"));
}

TEST(EarlyQuestions, of_a_list_wait_for_a_call_of_a_client_without_sessions) {
  Settings settings = in_front_of(asking());
  settings.one_client = false;
  Meeting meeting(std::move(settings), R"({"roots":{}})", true);
  EXPECT_THAT(meeting.tool_names(), ::testing::Contains("echo"));
  const json::Value asked = meeting.call("heard");
  ASSERT_EQ(at(asked, "/resultType"), R"("input_required")") << json::to_text(asked.view());
  const auto requests = asked->find("inputRequests");
  ASSERT_TRUE(requests && requests->size() == 1);
  std::string key;
  for (const auto& [name, request] : requests->members()) {
    key = name.string();
    EXPECT_TRUE(request.find("method")->equals("roots/list"));
  }
  const json::Value answered = meeting.ask(
      "tools/call", fmt::format(R"({{"name":"heard","arguments":{{}},"requestState":{},)"
                                R"("inputResponses":{{{}:{}}}}})",
                                at(asked, "/requestState"), json::quote(key), kRoots));
  EXPECT_THAT(json::to_text(answered.view()), Not(HasSubstr("error_code")));
  EXPECT_TRUE(has_server_heard(meeting, "file:///home/ada/project"));
}

}  // namespace
}  // namespace enfold::gateway
