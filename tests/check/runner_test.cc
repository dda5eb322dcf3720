// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/runner.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::check {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kReader =
    R"({"name":"look","description":"Looks.","annotations":{"readOnlyHint":true},)"
    R"("inputSchema":{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}})";
constexpr const char* kWriter =
    R"({"name":"write","description":"Writes.","inputSchema":{"type":"object"}})";

json::Value text(const std::string& said) {
  return json::parse_own(
      fmt::format(R"({{"content":[{{"type":"text","text":{}}}]}})", json::quote(said)));
}

std::vector<std::string> messages(const CheckedTool& tool) {
  std::vector<std::string> all;
  for (const Finding& one : tool.report.findings) all.push_back(one.what);
  return all;
}

class RunnerTest : public ::testing::Test {
 protected:
  /// Sample calls that `reply` answers; their names are added to `made`.
  Runner::SampleCalls samples() {
    Runner::SampleCalls calls;
    calls.call = [this](const CheckedTool& tool, const std::string& name,
                        const json::Value& arguments) {
      made.push_back(
          fmt::format("{} {} {}", tool.report.tool, name, json::to_text(arguments.view())));
      return reply;
    };
    calls.reason_to_omit = "it may change something";
    calls.reconnect = [this] { return is_reachable; };
    return calls;
  }
  Runner runner{{.client = &token::default_profile()}};
  CallReply reply = text("Hello");
  bool is_reachable = true;
  std::vector<std::string> made;
};

TEST_F(RunnerTest, calls_only_tools_that_read) {
  CheckedTool& reader = runner.add_definition(json::parse_own(kReader).view());
  CheckedTool& writer = runner.add_definition(json::parse_own(kWriter).view());
  Runner::SampleCalls calls = samples();
  calls.leaves_out_arguments = true;
  runner.make_sample_calls(calls);
  EXPECT_THAT(made, ElementsAre(HasSubstr("look with sample arguments {\"q\":"),
                                "look without arguments {}"));
  EXPECT_EQ(reader.report.calls, 2U);
  EXPECT_EQ(writer.report.not_called, "it may change something");
  calls.calls_all = true;
  calls.includes = [](const CheckedTool& tool) { return tool.report.tool == "write"; };
  made.clear();
  runner.make_sample_calls(calls);
  EXPECT_THAT(made, ElementsAre("write with sample arguments {}"));
}

TEST_F(RunnerTest, says_why_it_called_no_more_tools) {
  CheckedTool& first = runner.add_definition(json::parse_own(kReader).view());
  CheckedTool& second = runner.add_definition(json::parse_own(kReader).view());
  reply = Error{ErrorCode::unavailable, "the server ended", {}, {}};
  is_reachable = false;
  runner.make_sample_calls(samples());
  EXPECT_THAT(messages(first), ElementsAre("the server ended"));
  EXPECT_EQ(second.report.not_called, "the server could no longer be reached");
  Runner::SampleCalls calls = samples();
  calls.reason_to_end = [] { return "the time was over"; };
  runner.make_sample_calls(calls);
  EXPECT_EQ(first.report.not_called, "the time was over");
}

TEST_F(RunnerTest, checks_answers_against_the_output_schema_of_the_definition) {
  CheckedTool& tool = runner.add_definition(
      json::parse_own(R"({"name":"look","description":"Looks.","inputSchema":{"type":"object"},)"
                      R"("outputSchema":{"type":"object"}})")
          .view());
  runner.check(tool, "a recorded answer", text("Hello").view());
  EXPECT_THAT(messages(tool), ElementsAre(HasSubstr("has no structuredContent")));
}

TEST_F(RunnerTest, quotes_answers_only_redacted_and_still_finds_their_secrets) {
  redact::Policy policy;
  policy.personal_data = true;
  Runner careful({.client = &token::default_profile()}, policy);
  CheckedTool& tool = careful.find_or_add("look");
  careful.check(
      tool, "a call",
      json::parse_own(R"({"isError":true,"content":[{"type":"text","text":)"
                      R"("no user ada@example.com, ghp_0123456789abcdefghijklmnopqrstuvwxyz"}]})")
          .view());
  const std::vector<std::string> all = messages(tool);
  EXPECT_THAT(all, ::testing::Contains(HasSubstr("a credential (GITHUB_TOKEN)")));
  EXPECT_THAT(all, ::testing::Each(Not(HasSubstr("ada@example.com"))));
}

TEST_F(RunnerTest, compares_unredacted_answers_with_the_output_schema) {
  redact::Policy policy;
  policy.personal_data = true;
  const auto drift = [&](const std::string& structured) {
    Runner careful({.client = &token::default_profile()}, policy);
    CheckedTool& tool = careful.add_definition(
        json::parse_own(R"({"name":"look","description":"Looks.","inputSchema":{"type":"object"},)"
                        R"("outputSchema":{"type":"object","properties":{)"
                        R"("mail":{"type":"string","maxLength":15},"n":{"type":"integer"}}}})")
            .view());
    careful.check(
        tool, "a call",
        json::parse_own(R"({"content":[],"structuredContent":)" + structured + "}").view());
    std::string all;
    for (const Finding& one : tool.report.findings) {
      if (one.rule == Rule::schema_drift) all += one.what;
    }
    return all;
  };
  EXPECT_EQ(drift(R"({"mail":"ada@example.com","n":1})"), "") << "only its marker is too long";
  EXPECT_EQ(drift(R"({"mail":"[REDACTED:EMAIL] x"})"), "") << "it was redacted earlier";
  EXPECT_EQ(drift(R"({"mail":"ada.lovelace@example.com"})"),
            "the structuredContent does not match the output schema")
      << "the address is not quoted";
  EXPECT_THAT(drift(R"({"n":"one"})"), HasSubstr("one"));
}

// Definitions a0, a1 …, each of which refers to the next one twice.
std::string doubled_references(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    all += fmt::format(
        R"("a{0}":{{"allOf":[{{"$ref":"#/$defs/a{1}"}},{{"$ref":"#/$defs/a{1}"}}]}},)", i, i + 1);
  }
  return all;
}

TEST_F(RunnerTest, says_why_a_redacted_answer_could_not_be_compared_with_its_schema) {
  redact::Policy policy;
  policy.personal_data = true;
  Runner careful({.client = &token::default_profile()}, policy);
  CheckedTool& tool = careful.add_definition(
      json::parse_own(R"({"name":"look","description":"Looks.","inputSchema":{"type":"object"},)"
                      R"("outputSchema":{"$ref":"#/$defs/a0","$defs":{)" +
                      doubled_references(24) + R"("a24":{"type":"object"}}}})")
          .view());
  careful.check(
      tool, "a call",
      json::parse_own(R"({"content":[],"structuredContent":{"mail":"ada@example.com"}})").view());
  EXPECT_THAT(messages(tool), ::testing::Contains(HasSubstr("could not be checked")));
  EXPECT_THAT(messages(tool), ::testing::Each(Not(HasSubstr("does not match"))));
}

TEST_F(RunnerTest, completes_a_tool_that_was_added_without_a_definition) {
  CheckedTool& seen = runner.find_or_add("look");
  runner.check(seen, "a recorded answer", text("Hello").view());
  CheckedTool& tool = runner.add_definition(json::parse_own(kReader).view());
  EXPECT_EQ(&tool, &seen);
  EXPECT_EQ(runner.tools().size(), 1U);
  runner.make_sample_calls(samples());
  EXPECT_EQ(tool.report.calls, 1U);
  EXPECT_NE(&runner.add_definition(json::parse_own(kReader).view()), &tool)
      << "two definitions of one name are two tools";
}

TEST_F(RunnerTest, compares_with_what_was_expected) {
  CheckedTool& tool = runner.find_or_add("look");
  const auto outcome = [&](CallReply given, bool fails) {
    tool.report.findings.clear();
    reply = std::move(given);
    (void)runner.call(tool, "a call", json::Value(), fails, samples().call);
    for (const Finding& one : tool.report.findings) {
      if (one.rule == Rule::outcome) return one.what;
    }
    return std::string();
  };
  EXPECT_EQ(outcome(text("Hello"), false), "");
  EXPECT_EQ(outcome(text("Hello"), true), "expected a failure, found a success");
  EXPECT_EQ(outcome(mcp::RpcError{-32602, "no", std::nullopt}, false),
            "expected a success, found JSON-RPC error -32602: no");
  EXPECT_EQ(outcome(mcp::RpcError{-32602, "no", std::nullopt}, true), "");
  EXPECT_EQ(runner.tools().size(), 1U);
}

}  // namespace
}  // namespace enfold::check
