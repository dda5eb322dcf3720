// SPDX-License-Identifier: Apache-2.0
// A tool of our own: declared fields, one way out.
#include "enfold/answer/answer.h"
#include "enfold/contract/errors/failures.h"
#include "tests/redact/fake_secrets.h"
#include "tests/support/answers.h"
#include "tests/support/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::answer {
namespace {

using level::field;
using model::Level;

// memory_store of the associative memory: returns what the server decided, not what the caller
// knows.
struct MemoryStored {
  std::string memory_id;
  std::string created_at;
  std::string scope;
  bool scope_changed = false;
  std::vector<std::string> tags;
  static constexpr auto fields() {
    return level::fields(
        field("memory_id", &MemoryStored::memory_id, Level::minimal),
        field("created_at", &MemoryStored::created_at, Level::minimal),
        field("scope", &MemoryStored::scope, Level::minimal).when(&MemoryStored::scope_changed),
        field("tags", &MemoryStored::tags, Level::full));
  }
};

const MemoryStored kStored{
    .memory_id = "m1", .created_at = "2026-11-15T00:00:00Z", .scope = "work", .tags = {"a"}};

AnswerPlan plan_for(contract::Id contract) {
  AnswerPlan plan;
  plan.contract = contract;
  plan.fit.shape.contract = contract;
  return plan;
}

AnswerPlan memory_config() { return plan_for(contract::Id::memory); }
AnswerPlan usual_config() { return plan_for(contract::Id::response_v2); }

json::Value result_of(const BeginResult& answer) {
  return json::parse_own(std::get<ShapedAnswer>(answer).result.str());
}

std::string shown(const BeginResult& answer) {
  return json::to_text(*result_of(answer)->find("structuredContent"));
}

TEST(TypedTool, answers_minimal_unless_told_otherwise) {
  EXPECT_EQ(shown(process_tool_response(memory_config(), {}, kStored, {})),
            R"({"success":true,"memory_id":"m1","created_at":"2026-11-15T00:00:00Z"})");
}

TEST(TypedTool, shows_a_field_only_when_the_server_decided_it) {
  MemoryStored moved = kStored;
  moved.scope_changed = true;
  EXPECT_THAT(shown(process_tool_response(memory_config(), {}, moved, {})),
              ::testing::HasSubstr(R"("scope":"work")"));
}

TEST(TypedTool, takes_the_level_from_the_call) {
  const level::LevelDecision decided = level::determine_response_level(
      {}, {.tool = "memory_store", .arguments = json::parse_own(R"({"response_level":"full"})")});
  EXPECT_THAT(shown(process_tool_response(memory_config(), {decided.level}, kStored, {})),
              ::testing::HasSubstr(R"("tags":["a"])"));
}

TEST(TypedTool, never_shows_a_credential) {
  MemoryStored leaky = kStored;
  leaky.memory_id = std::string("gh") + "p_abcdEFGH1234ijklMNOP5678qrstUVWX9012";
  const auto answer = process_tool_response(usual_config(), {}, leaky, {});
  EXPECT_THAT(shown(answer), ::testing::HasSubstr("[REDACTED:GITHUB_TOKEN]"));
  EXPECT_THAT(shown(answer), ::testing::HasSubstr("SECRET_REDACTED"));
}

struct Note {
  std::string text;
  static constexpr auto fields() { return level::fields(level::preview("text", &Note::text, 40)); }
};

// Half of a secret is not recognized as one, so a preview is cut after redaction.
TEST(TypedTool, a_preview_never_shows_a_part_of_a_secret) {
  testing::check_property("preview_after_redaction", testing::property_cases(500, 20'000), [] {
    namespace fake = redact::fake;
    const std::vector<std::string> secrets{fake::github(), fake::aws_id(), fake::jwt(), fake::pem(),
                                           "password=" + fake::body(24)};
    const std::string& secret =
        secrets[static_cast<std::size_t>(testing::draw_below(static_cast<int>(secrets.size())))];
    const std::string before(static_cast<std::size_t>(testing::draw_below(60)), 'w');
    const std::string out = shown(process_tool_response(
        memory_config(), {}, Note{before + " " + secret + " and more text behind it"}, {}));
    const std::string beginning = secret.substr(
        secret.find_first_of("_=.\n") == std::string::npos ? 4 : secret.find_first_of("_=.\n") + 1);
    if (out.find(beginning.substr(0, 4)) != std::string::npos) RC_FAIL(out);
    if (out.find("[REDACTED") != std::string::npos) RC_ASSERT(out.find(']') != std::string::npos);
  });
}

TEST(TypedTool, answers_failures_in_the_same_contract) {
  const auto failed = contract::make_failure(
      contract::failures::NotFound{.resource_type = "Memory", .resource_id = "m9"});
  AnswerPlan plan = usual_config();
  plan.request_id = "req_1";
  const BeginResult answer = process_tool_response(plan, {}, failed, {});
  EXPECT_EQ(std::get<ShapedAnswer>(answer).outcome, CallOutcome::failed);
  const json::Value result = result_of(answer);
  EXPECT_TRUE(result->find("isError")->boolean());
  const json::View envelope = *result->find("structuredContent");
  EXPECT_FALSE(envelope.find("success")->boolean());
  EXPECT_TRUE(envelope.find("data")->find("error_code")->equals("NOT_FOUND"));
  EXPECT_TRUE(envelope.find("meta")->find("request_id")->equals("req_1"));
}

TEST(TypedTool, adds_warnings_page_and_partial_outcome) {
  ToolContext context;
  context.partial = true;
  context.message = "2 of 3 stored";
  context.page = model::Page{.has_more = true, .next_offset = model::Number{"20"}};
  const std::string out = shown(process_tool_response(usual_config(), {}, kStored, context));
  EXPECT_THAT(out, ::testing::HasSubstr("PARTIAL_FAILURE"));
  EXPECT_THAT(out, ::testing::HasSubstr("eyJvZmZzZXQiOjIwLCJ2ZXJzaW9uIjoxfQ=="));
  EXPECT_THAT(out, ::testing::HasSubstr(R"("success":true)"));
}

}  // namespace
}  // namespace enfold::answer
