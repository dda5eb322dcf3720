// SPDX-License-Identifier: Apache-2.0
// Requests without a valid key, or with a foreign Origin, and floods of them.
#include "enfold/serve/http/refusal_log.h"
#include "tests/gateway/front.h"

#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<serve::LogLine> refusals(const Front& front) {
  std::vector<serve::LogLine> found;
  for (const serve::LogLine& line : front.lines) {
    if (line.event == "http_refused") found.push_back(line);
  }
  return found;
}

TEST(RefusedRequest, is_logged_with_its_status_and_address) {
  Settings settings = for_many(upstream());
  settings.principals = {principal("anna", "a-key-of-anna-0001")};
  Front front(std::move(settings));
  EXPECT_EQ(front.voice("wrong")->request("POST", "{}").status, 401);
  EXPECT_EQ(front.voice("wrong")->request("POST", "{}", "Origin: https://evil.example\n").status,
            403);
  const std::vector<serve::LogLine> lines = refusals(front);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].code, "401");
  EXPECT_EQ(lines[1].code, "403");
  for (const serve::LogLine& line : lines)
    EXPECT_THAT(line.client_address, StartsWith("127.0.0.1:"));
}

TEST(RefusedConnection, is_logged_too) {
  serve::HttpOptions options;
  options.limits.max_connections = 1;
  Front front(for_many(upstream()), std::move(options));
  const auto first = front.voice();
  const auto stream = first->send("GET", "", Voice::in(first->open_session()));
  ASSERT_TRUE(front.loop.until([&] { return front.http->server().stats().streams == 1; }));
  EXPECT_EQ(front.voice()->request("POST", "{}").status, 503);
  const std::vector<serve::LogLine> lines = refusals(front);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].code, "503");
  EXPECT_THAT(lines[0].client_address, StartsWith("127.0.0.1:"));
}

TEST(RefusedRequest, does_not_fill_the_disk_in_a_flood) {
  serve::RefusalLog log;
  std::vector<serve::LogLine> lines;
  const serve::Log write = [&](const serve::LogLine& line) { lines.push_back(line); };
  using std::chrono::milliseconds;
  for (int i = 0; i < 100'000; ++i) log.add({401, "192.0.2.1:1", {}}, milliseconds(i), write);
  EXPECT_LE(lines.size(), 40U) << "in 100 seconds";
  log.add({401, "192.0.2.1:1", {}}, milliseconds(300'000), write);
  EXPECT_THAT(lines.back().note, HasSubstr("were not logged"));
  const std::size_t count = lines.size();
  log.add({404, "192.0.2.1:1", {}}, milliseconds(300'001), write);
  EXPECT_EQ(lines.size(), count);
}

TEST(CallLog, warns_of_calls_beyond_a_rate_limit_but_not_without_end) {
  Settings settings = for_many(upstream());
  settings.answers.rate_limit = store::RateLimit{1, 1};
  Front front(std::move(settings));
  const auto voice = front.voice();
  for (int i = 0; i < 40; ++i) voice->call("echo");
  const auto warnings = std::ranges::count_if(front.lines, [](const serve::LogLine& line) {
    return line.event == "call" && line.level == serve::LogLine::Level::warning &&
           !line.client_address.empty();
  });
  EXPECT_EQ(warnings, 20);
}

TEST(CallLog, names_principal_and_address_of_the_client) {
  Settings settings = for_many(upstream());
  settings.principals = {principal("anna", "a-key-of-anna-0001")};
  Front front(std::move(settings));
  front.voice("a-key-of-anna-0001")->call("echo");
  const auto line = std::ranges::find(front.lines, "call", &serve::LogLine::event);
  ASSERT_NE(line, front.lines.end());
  EXPECT_EQ(line->principal, "anna");
  EXPECT_THAT(line->client_address, StartsWith("127.0.0.1:"));
}

}  // namespace
}  // namespace enfold::gateway
