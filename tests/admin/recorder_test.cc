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

TEST_F(RecorderTest, keeps_the_other_originals_when_one_is_larger_than_the_limit) {
  add_answer(plan_with("{}"));
  const std::string large = R"({"content":[],"x":")" + std::string(200'000, 'x') + "\"}";
  const auto add_large = [&](const char* source, std::size_t redactions) {
    const answer::AnswerFacts facts{.source = json::parse_own(source), .redactions = redactions};
    const mcp::Reply reply = mcp::CompleteResult{json::parse_own(large)};
    add({.tool = "write", .outcome = "ok", .weight = {.bytes_out = large.size()}},
        {.plan = plan_with("{}"), .facts = &facts, .reply = &reply});
  };
  add_large("null", 0);
  add_large("{}", 1);
  add_large(large.c_str(), 0);
  EXPECT_EQ(recorder.originals(), 1U);
  EXPECT_NE(recorder.calls()[0].answer, nullptr);
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

TEST_F(RecorderTest, uses_the_places_of_old_rows_again_without_what_they_held) {
  Recorder small(environment, {.bytes = 0, .calls = 2});
  const answer::AnswerFacts facts{
      .redactions = 1, .is_repaired = true, .kind = model::ErrorKind::missing, .error = "no file"};
  for (int i = 0; i < 2; ++i) {
    small.add({.event = "call",
               .request_id = "a long request id that needs memory",
               .tool = "t",
               .outcome = "failed",
               .fidelity = "partial"},
              {.facts = &facts, .http_status = 404, .is_refused = true, .is_exact = true});
  }
  small.add({.event = "call", .tool = "t", .outcome = "ok"}, {});
  const RecordedCall& call = small.calls().back();
  EXPECT_EQ(call.id, 3U);
  EXPECT_EQ(call.request_id + call.error + call.handle, "");
  EXPECT_FALSE(call.is_cut || call.is_failed || call.is_repaired || call.is_redacted ||
               call.is_refused || call.is_exact || call.kind);
  EXPECT_EQ(call.http_status, 0);
  EXPECT_EQ(small.calls().front().id, 2U);
  EXPECT_EQ(small.calls().size(), 2U);
}

TEST_F(RecorderTest, tells_tools_apart_whose_names_end_alike) {
  settings.principals.clear();
  for (int round = 0; round < 2; ++round) {
    for (const char* const tool : {"read", "load", "read"}) {
      for (const char* const upstream : {"a", "b"}) {
        add({.tool = tool, .outcome = "ok", .upstream = upstream}, {});
        EXPECT_EQ(recorder.tool_of(recorder.calls().back()), tool);
        EXPECT_EQ(recorder.upstream_of(recorder.calls().back()), upstream);
      }
    }
  }
  EXPECT_EQ(recorder.tools().size(), 4U);
  for (const auto& [tool, history] : recorder.tools()) {
    EXPECT_EQ(history.calls, recorder.key_of(tool).second == "read" ? 4U : 2U);
  }
}

TEST_F(RecorderTest, replaces_estimates_by_what_was_counted_later) {
  add({.tool = "t", .outcome = "ok", .weight = {.tokens_before = 90, .tokens_after = 80}}, {});
  recorder.set_counted(1, 100, 70);
  EXPECT_EQ(recorder.calls().back().weight.tokens_before, 100U);
  EXPECT_EQ(recorder.calls().back().weight.tokens_after, 70U);
  EXPECT_TRUE(recorder.calls().back().is_exact);
  recorder.set_counted(1, 1, 1);
  EXPECT_EQ(recorder.calls().back().weight.tokens_before, 100U) << "it was counted before";
  recorder.set_counted(99, 1, 1);
}

TEST(Ring, keeps_the_newest) {
  Ring<int> ring(300);
  for (int i = 0; i < 1'000; ++i) {
    const auto place = ring.next();
    EXPECT_EQ(place.is_used, i >= 300);
    place.element = i;
    EXPECT_EQ(ring.back(), i);
    EXPECT_EQ(ring.front(), std::max(0, i - 299));
  }
  int next = 700;
  for (const int one : ring) EXPECT_EQ(one, next++);
  EXPECT_EQ(next, 1'000);
}

}  // namespace
}  // namespace enfold::gateway
