// SPDX-License-Identifier: Apache-2.0
// What the recorder keeps of calls, and how little of what clients choose.
#include "enfold/gateway/admin/record/recorder.h"

#include "enfold/gateway/admin/record/row.h"
#include "enfold/serve/loop_host.h"
#include "tests/net/running_loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace enfold::gateway {
namespace {

using ::testing::HasSubstr;

TEST(Recorder, drops_the_oldest_rows) {
  net::RunningLoop loop;
  const Settings settings;
  serve::LoopHost host(*loop, 1, 1);
  const Environment environment{*loop, host, settings};
  Recorder recorder(environment, {.bytes = 0, .calls = 3});
  for (int i = 0; i < 5; ++i) {
    recorder.add({.event = "call", .tool = std::to_string(i), .outcome = "ok"}, {});
  }
  EXPECT_EQ(recorder.calls().size(), 3U);
  EXPECT_EQ(recorder.find(2), nullptr);
  ASSERT_NE(recorder.find(3), nullptr);
  EXPECT_EQ(recorder.tool_of(*recorder.find(3)), "2");
  EXPECT_EQ(recorder.find(6), nullptr);
}

class RecorderTest : public ::testing::Test {
 protected:
  static std::shared_ptr<PlannedAnswer> plan_with(const std::string& arguments) {
    auto plan = std::make_shared<PlannedAnswer>();
    plan->about.plan.arguments = json::parse_own(arguments);
    return plan;
  }
  void add(serve::LogLine line, CallDetails details) {
    line.event = "call";
    recorder.add(line, details);
  }
  /// A call with a recorded original.
  void add_answer(const std::shared_ptr<PlannedAnswer>& plan, std::string fidelity = "full") {
    const answer::AnswerFacts facts{.source = json::parse_own(R"({"content":[]})")};
    const mcp::Reply reply = mcp::empty_result();
    add({.tool = "write", .outcome = "ok", .fidelity = std::move(fidelity)},
        {.plan = plan, .facts = &facts, .reply = &reply});
  }
  net::RunningLoop loop;
  Settings settings;
  serve::LoopHost host{*loop, 1, 1};
  Environment environment{*loop, host, settings};
  Recorder recorder{environment, {.bytes = 100'000}};
};

std::string arguments_of(std::size_t bytes) {
  return R"({"path":"notes","content":")" + std::string(bytes, 'x') + "\"}";
}

TEST_F(RecorderTest, keeps_no_arguments_of_answers_that_were_not_cut) {
  for (int i = 0; i < 10; ++i) add_answer(plan_with(arguments_of(1 << 20)));
  EXPECT_EQ(recorder.originals(), 10U);
  for (const RecordedCall& call : recorder.calls()) {
    EXPECT_EQ(call.answer->plan->about.plan.arguments.view().storage(), nullptr);
  }
}

TEST_F(RecorderTest, keeps_the_words_of_the_arguments_of_answers_that_were_cut_and_counts_them) {
  add_answer(plan_with(R"({"query":"Lighthouse keepers"})"), "partial");
  EXPECT_EQ(recorder.calls().back().answer->plan->about.plan.arguments->raw(),
            R"(["lighthouse","keepers"])");
  for (int i = 0; i < 10; ++i) add_answer(plan_with(arguments_of(40'000)), "partial");
  EXPECT_LE(recorder.originals(), 2U) << "a long word is counted";
  EXPECT_LE(recorder.bytes(), 100'000U);
}

TEST_F(RecorderTest, keeps_nothing_of_what_a_client_says_of_itself_but_a_short_name) {
  for (const std::size_t bytes : {1U, 1'000'000U}) {
    const auto caller = std::make_shared<mcp::Caller>();
    caller->client_info =
        json::parse_own(R"({"name":"a","version":"2","x":")" + std::string(bytes, 'x') + "\"}");
    const auto plan = plan_with("{}");
    plan->about.caller = caller;
    const answer::AnswerFacts facts{.source = json::parse_own("{}")};
    const mcp::Reply reply = mcp::empty_result();
    add({.tool = "t", .outcome = "ok"},
        {.caller = caller.get(), .plan = plan, .facts = &facts, .reply = &reply});
    EXPECT_EQ(caller.use_count(), 1);
  }
  EXPECT_EQ(recorder.client_of(recorder.calls().front()), "a 2");
  EXPECT_EQ(recorder.calls().front().client, recorder.calls().back().client);
  mcp::Caller caller;
  caller.client_info = json::parse_own(R"({"name":")" + std::string(10'000, 'n') + "\"}");
  add({.tool = "t", .outcome = "ok"}, {.caller = &caller});
  EXPECT_LE(recorder.client_of(recorder.calls().back()).size(), 131U);
}

TEST_F(RecorderTest, counts_only_handles_that_were_opened) {
  for (const char* const outcome : {"failed", "cancelled", "refused"}) {
    add({.tool = "enfold_fetch", .outcome = outcome, .fetched_handle = "123456789012"}, {});
  }
  add({.tool = "enfold_fetch", .outcome = "ok", .fetched_handle = std::string(10'000, 'x')}, {});
  EXPECT_TRUE(recorder.opened().empty());
  add({.tool = "enfold_fetch", .outcome = "ok", .fetched_handle = "123456789012"}, {});
  EXPECT_EQ(recorder.opened().at("123456789012"), 1U);
}

TEST_F(RecorderTest, calls_nothing_whole_that_was_not_delivered) {
  for (const char* const outcome : {"cancelled", "input_required", "ok"}) {
    add({.tool = "t", .outcome = outcome}, {});
    EXPECT_EQ(RowFilter{.what = "whole"}.accepts(recorder.calls().back(), recorder),
              outcome == std::string_view("ok"));
  }
}

TEST_F(RecorderTest, leaves_room_for_listed_tools_principals_and_outcomes) {
  settings.principals = {{.name = "ada@example.com"}};
  settings.answers.redaction->personal_data = true;
  for (int i = 0; i < 5'000; ++i) {
    add({.tool = fmt::format("invented_{}", i), .outcome = "failed"}, {.is_listed = false});
  }
  EXPECT_TRUE(recorder.tools().empty());
  add({.tool = "listed", .outcome = "partial", .principal = "ada@example.com"}, {});
  const RecordedCall& call = recorder.calls().back();
  EXPECT_EQ(recorder.tool_of(call), "listed");
  EXPECT_EQ(call.outcome, answer::CallOutcome::partial);
  EXPECT_THAT(recorder.principal_of(call), HasSubstr("REDACTED"));
  EXPECT_EQ(recorder.owner_of(call), "ada@example.com") << "the archive needs the name itself";
  add({.tool = std::string(10'000, 'x'), .outcome = "ok"}, {});
  EXPECT_LE(recorder.tool_of(recorder.calls().back()).size(), 131U);
}

TEST(Recorder, redacts_names_and_limits_how_many_it_keeps) {
  net::RunningLoop loop;
  const Settings settings;
  serve::LoopHost host(*loop, 1, 1);
  const Environment environment{*loop, host, settings};
  Recorder recorder(environment, {});
  recorder.add(
      {.event = "call", .tool = "ghp_0123456789abcdefghijklmnopqrstuvwxyz", .outcome = "failed"},
      {});
  EXPECT_EQ(recorder.tool_of(recorder.calls().back()), "[REDACTED:GITHUB_TOKEN]");
  for (int i = 0; i < 5'000; ++i) {
    recorder.add({.event = "call", .tool = "tool_" + std::to_string(i), .outcome = "ok"}, {});
  }
  EXPECT_EQ(recorder.tool_of(recorder.calls().back()), NamesTable::kOther);
  EXPECT_LE(recorder.tools().size(), 500U);
}

}  // namespace
}  // namespace enfold::gateway
