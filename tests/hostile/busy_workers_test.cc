// SPDX-License-Identifier: Apache-2.0
// What happens to the replies of upstreams while every worker waits for a slow disk.
#include "tests/gateway/front.h"
#include "tests/store/slow_archive.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

/// A client of a gateway whose two workers wait until the archive is opened.
class BusyWorkers {
 public:
  explicit BusyWorkers(Settings settings, const std::string& tool = "result")
      : meeting(with(std::move(settings), archive)) {
    meeting.tool_names();
    for (int i = 0; i < 2; ++i) blocking_.push_back(start_long(tool));
    meeting.call(tool.substr(0, tool.size() - 6) + "echo");  // both have been answered
  }
  int start_long(const std::string& tool) {
    return meeting.start("tools/call",
                         fmt::format(R"({{"name":"{}","arguments":{{"raw":{}}}}})", tool,
                                     json::quote(large_answer(1000, fmt::format("row {}", ++n_)))));
  }
  void open() {
    archive->open();
    for (const int call : blocking_) {
      EXPECT_EQ(at(meeting.wait_for(call), "/isError"), "false");
    }
  }
  static Settings with(Settings settings, const std::shared_ptr<store::Archive>& archive) {
    settings.answers.archive = archive;
    return settings;
  }

  std::shared_ptr<store::testing::SlowArchive> archive =
      std::make_shared<store::testing::SlowArchive>();
  Meeting meeting;

 private:
  std::vector<int> blocking_;
  int n_ = 0;
};

TEST(Reply, of_a_resource_waits_for_a_worker_although_their_queue_is_full) {
  UpstreamSettings one = with_environment(upstream(), "ENFOLD_TEST_SCHEME", "abc");
  BusyWorkers busy(in_front_of(with_environment(std::move(one), "ENFOLD_TEST_FETCH", "1")));
  std::vector<int> fetches;
  for (int i = 0; i < 70; ++i) {
    fetches.push_back(busy.meeting.start(
        "tools/call", R"({"name":"enfold_fetch","arguments":{"handle":"abcdefghjkmn"}})"));
  }
  const int read = busy.meeting.start("resources/read", R"({"uri":"abc://long/100000"})");
  busy.meeting.call("echo");
  EXPECT_EQ(busy.meeting.answer_to(read), std::nullopt);
  busy.open();
  EXPECT_THAT(at(busy.meeting.wait_for(read), "/contents/0/text"), HasSubstr("[REDACTED"));
  for (const int fetch : fetches) busy.meeting.wait_for(fetch);
}

TEST(Outcome, of_a_call_that_is_cancelled_while_its_answer_waits_can_be_fetched) {
  BusyWorkers busy(in_front_of(upstream()));
  const int call = busy.start_long("result");
  busy.meeting.call("echo");  // it has been answered
  busy.meeting.say(fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}})",
      call));
  busy.open();
  EXPECT_TRUE(busy.meeting.loop.until([&] {
    return std::ranges::count(busy.meeting.lines, "outcome_kept", &serve::LogLine::event) == 1;
  }));
  EXPECT_FALSE(busy.meeting.answer_to(call)) << "the client does not want it";
  EXPECT_EQ(busy.meeting.gateway->report().open_calls, 0U);
}

TEST(Upstream, that_a_reload_removes_stays_until_a_worker_has_redacted_its_list) {
  const UpstreamSettings kept = upstream("sessions", "kept");
  Settings settings = for_many(kept);
  settings.upstreams.push_back(
      with_environment(upstream("sessions", "gone"), "ENFOLD_TEST_ENDLESS", "100000"));
  BusyWorkers busy(std::move(settings), "kept__result");
  busy.meeting.call("gone__change");  // so that the list is fetched again
  busy.meeting.call("gone__echo");    // the list has been answered
  std::optional<bool> reloaded;
  Settings next = BusyWorkers::with(for_many(kept), busy.archive);
  next.answers.log = [](const serve::LogLine&) {};
  busy.meeting.gateway->reload(std::move(next),
                               [&](const auto& done) { reloaded = done.has_value(); });
  ASSERT_TRUE(busy.meeting.loop.until([&] { return reloaded.has_value(); }));
  for (int i = 0; i < 50; ++i) busy.meeting.call("echo");  // time in which it would be destroyed
  busy.open();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(at(busy.meeting.call("echo"), "/isError"), "false");
}

}  // namespace
}  // namespace enfold::gateway
