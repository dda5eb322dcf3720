// SPDX-License-Identifier: Apache-2.0
// Servers that say much at once, outside the answers of tools.
#include "enfold/gateway/policy/upstream_words.h"
#include "tests/gateway/meeting.h"

#include <algorithm>
#include <ctime>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::vector<std::string> noise(const Meeting& meeting) {
  std::vector<std::string> notes;
  for (const serve::LogLine& line : meeting.lines) {
    if (line.event == "upstream_noise") notes.push_back(line.note);
  }
  return notes;
}

json::Value say_much(Meeting& meeting, const char* as, int bytes) {
  return meeting.call("say_much", fmt::format(R"({{"as":"{}","bytes":{}}})", as, bytes));
}

// 40 MB kept every other client waiting for four seconds.
TEST(LongMessage, of_a_resource_is_redacted_beside_the_loop) {
  Meeting meeting(in_front_of(with_environment(upstream(), "ENFOLD_TEST_SCHEME", "one")));
  const double loop = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  const double all = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const json::Value read = meeting.ask("resources/read", R"({"uri":"one://a/long/8000000"})");
  const double on_loop = seconds_of(CLOCK_THREAD_CPUTIME_ID) - loop;
  EXPECT_LT(on_loop, (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all) / 2);
  const std::string text = at(read, "/contents/0/text");
  EXPECT_THAT(text.substr(0, 200), HasSubstr("[REDACTED:PASSWORD]"));
  EXPECT_EQ(text.find("hunter2"), std::string::npos);
}

TEST(LongMessage, of_an_error_is_cut) {
  Meeting meeting(in_front_of(upstream(), "none"));
  const json::Value error = say_much(meeting, "error", 300'000);
  EXPECT_EQ(at(error, "/data"), "(none)");
  EXPECT_LT(at(error, "/message").size(), 20'000U);
  EXPECT_THAT(at(error, "/message"), HasSubstr("bytes of data were left out"));
  EXPECT_THAT(at(error, "/message"), Not(HasSubstr("hunter2")));
  const json::Value shorter = say_much(meeting, "error", 10'000);
  EXPECT_THAT(at(shorter, "/data"), HasSubstr("[REDACTED:PASSWORD]")) << "as far as it is not long";
}

TEST(LongMessage, of_an_error_shows_no_part_of_a_secret_where_it_is_cut) {
  const Settings settings = in_front_of(upstream());
  const std::string secret = "ghp_" + std::string(36, 'a');
  for (const std::size_t cut : {std::size_t{16} << 10, std::size_t{20} << 10}) {
    for (std::size_t shown = 1; shown < secret.size(); ++shown) {
      std::string message(cut - shown - 1, '.');
      message += " " + secret + std::string(10'000, '.');
      client::CallResult result =
          tl::unexpected(client::CallFailure{{ErrorCode::internal, message, {}, {}}, {}, {}});
      filter_reply(settings, "prompts/get", result);
      EXPECT_THAT(result.error().error.message, Not(HasSubstr("gh"))) << cut << " " << shown;
      EXPECT_LT(result.error().error.message.size(), 17'000U);
      EXPECT_GT(result.error().error.message.size(), 10'000U);
    }
  }
}

TEST(LongMessage, of_a_log_is_not_forwarded) {
  Meeting meeting(in_front_of(upstream(), "none"));
  (void)say_much(meeting, "log", 300'000);
  (void)say_much(meeting, "log", 3'000);
  const json::Value logged = meeting.wait_for_method("notifications/message");
  EXPECT_LT(json::to_text(logged.view()).size(), 10'000U);
  EXPECT_THAT(noise(meeting), ::testing::ElementsAre(HasSubstr("was not forwarded")));
}

// Five bytes became 180 bytes of log each, 177 MB in ten seconds.
TEST(LongMessage, of_lines_that_are_no_messages_is_logged_in_part) {
  Meeting meeting(in_front_of(upstream(), "none"));
  (void)say_much(meeting, "lines", 4'000);
  EXPECT_EQ(noise(meeting).size(), 20U);
}

}  // namespace
}  // namespace enfold::gateway
