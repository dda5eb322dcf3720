// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/rules.h"
#include "enfold/json/write.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace enfold::check {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string text(const std::string& said, const std::string& more = "") {
  return fmt::format(R"({{"content":[{{"type":"text","text":{}}}]{}}})", json::quote(said), more);
}

const std::string kFailed = R"(,"isError":true)";
const std::string kEnvelope =
    R"({"success":true,"data":{"a":1},"error":null,"meta":{"version":"response-v2"}})";
const std::string kFailure =
    R"({"success":false,"data":{"error_code":"NOT_FOUND","error_type":"not_found"},)"
    R"("error":"no such file","meta":{"version":"response-v2"}})";

struct Case {
  const char* name;
  std::string result;
  std::vector<std::pair<Rule, Severity>> want;
  const char* says = "";
  const char* output_schema = "";
  std::optional<contract::Id> contract{};
};

const char* const kWantsNumber =
    R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]})";

std::vector<Case> cases() {
  const std::string secret = "ghp_" + std::string(36, 'a');
  const Severity error = Severity::error;
  const Severity warning = Severity::warning;
  const Severity note = Severity::note;
  return {
      {"plain text", text("Hello"), {}},
      {"structured content alone",
       R"({"content":[],"structuredContent":{"a":1}})",
       {},
       "",
       kWantsNumber},
      {"no content", R"({"isError":false})", {{Rule::contract, error}}, "the protocol"},

      {"an envelope", fmt::format(R"({{"content":[],"structuredContent":{}}})", kEnvelope), {}},
      {"an envelope in the text", text(kEnvelope), {}},
      {"a broken envelope",
       R"({"content":[],"structuredContent":{"success":true,"data":7,"error":null,"meta":{"version":"response-v2"}}})",
       {{Rule::contract, error}},
       "response-v2"},
      {"the contract that was asked for", text(kEnvelope), {}, "", "", contract::Id::response_v2},
      {"another contract than was asked for",
       text(R"({"a":1})"),
       {{Rule::contract, error}},
       "not valid in response-v2",
       "",
       contract::Id::response_v2},
      {"no contract where one was asked for",
       text("Hello"),
       {{Rule::contract, error}},
       "expected an answer in response-v2, found one without an envelope",
       "",
       contract::Id::response_v2},

      {"a schema and no structured content",
       text("Hello"),
       {{Rule::schema_drift, error}},
       "no structuredContent",
       kWantsNumber},
      {"a schema and a failure in words",
       text("no", kFailed),
       {{Rule::error_shape, warning}},
       "",
       kWantsNumber},
      {"a schema that is broken",
       R"({"content":[],"structuredContent":{"a":"x"}})",
       {{Rule::schema_drift, error}},
       "does not match the output schema: at /a, expected integer, found string",
       kWantsNumber},
      {"a schema that a failure breaks",
       R"({"content":[],"structuredContent":{"code":"E1"},"isError":true})",
       {{Rule::schema_drift, warning}},
       "instead of the failure",
       kWantsNumber},

      {"the same twice",
       text(R"({"a": 1})", R"(,"structuredContent":{"a":1})"),
       {{Rule::double_emission, note}},
       "6 tokens"},
      {"an envelope in both, as its contract wants it",
       text(R"({"success":true,"data":{},"error":null,"meta":{"version":"response-v2"}})",
            R"(,"structuredContent":{"success":true,"data":{},"error":null,)"
            R"("meta":{"version":"response-v2"}})"),
       {}},
      {"words beside structure", text("one a", R"(,"structuredContent":{"a":1})"), {}},

      {"too much for everybody",
       text(std::string(50'000, 'x')),
       {{Rule::size, warning}},
       "\"claude-code\" (50,000 characters, at most 49,900)"},
      {"too much structure",
       fmt::format(R"({{"content":[],"structuredContent":{{"a":"{}"}}}})",
                   std::string(50'000, 'x')),
       {{Rule::size, warning}},
       "\"claude-code\" (50,008 characters, at most 49,900)"},
      {"too much in a resource",
       fmt::format(
           R"({{"content":[{{"type":"resource","resource":{{"uri":"a:b","text":"{}"}}}}]}})",
           std::string(50'000, 'x')),
       {{Rule::size, warning}}},

      {"a secret",
       text("token " + secret),
       {{Rule::secret, error}},
       "a credential (GITHUB_TOKEN) at /content/0/text"},
      {"a secret in the structure",
       fmt::format(R"({{"content":[],"structuredContent":{{"t":"{}"}}}})", secret),
       {{Rule::secret, error}},
       "/structuredContent/t"},
      {"a secret in a failure",
       text("bad token " + secret, kFailed),
       {{Rule::secret, error}, {Rule::error_shape, warning}},
       "bad token [REDACTED:GITHUB_TOKEN]"},

      {"source code in a failure",
       text(R"({"tier":"pro","tool_version":"1.0.0","tool_id":"x","request_id":"r",)"
            R"("capabilities":[],"duration_ms":1,"error":{"error":"Bad",)"
            R"("error_code":"not_found","error_details":{"near":"x = f(1);"}},)"
            R"("upgrade_hints":[],"data":null})",
            kFailed),
       {{Rule::source_code, error}},
       "source code at /error/error_details/near"},
      {"a failure in words",
       text("ENOENT: no such file", kFailed),
       {{Rule::error_shape, warning}},
       "\"ENOENT: no such file\""},
      {"a failure without words",
       R"({"content":[],"isError":true})",
       {{Rule::error_shape, error}},
       "isError is set, but the answer does not say what went wrong"},
      {"a failure with a code", text(R"({"code":"E1","message":"no"})", kFailed), {}},
      {"a failure with a code inside", text(R"({"error":{"code":404}})", kFailed), {}},
      {"a failure in a contract", text(kFailure, kFailed), {}},
      {"a failure inside the server",
       text(R"({"success":false,"data":{"error_code":"INTERNAL_ERROR","error_type":"internal"},)"
            R"("error":"The tool failed","meta":{"version":"response-v2"}})",
            kFailed),
       {{Rule::outcome, warning}},
       "the tool failed inside the server: \"The tool failed\""},
      {"a failure whose error is a code",
       text(R"({"error":"NOT_FOUND","message":"no"})", kFailed),
       {}},
      {"a failure as an object without a code",
       text(R"({"error":"no"})", kFailed),
       {{Rule::error_shape, warning}}},

      {"a failure that says it is none",
       text("Error: Operation failed"),
       {{Rule::hidden_failure, warning}},
       "a success that reads like a failure: \"Error: Operation failed\""},
      {"a failure among other blocks",
       R"({"content":[{"type":"text","text":"Error: Operation failed"},{"type":"image","data":"","mimeType":"image/png"}]})",
       {{Rule::hidden_failure, warning}}},
      {"a flag in the data",
       text(R"({"success":false,"reason":"no"})"),
       {{Rule::hidden_failure, error}}},
      {"an envelope that failed in a result that did not",
       text(kFailure),
       {{Rule::hidden_failure, error}},
       "response-v2"},
  };
}

TEST(AnswerRules, find_what_is_wrong_and_nothing_else) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    std::optional<schema::Schema> schema;
    if (*one.output_schema != 0)
      schema = *schema::Schema::compile(json::parse_own(one.output_schema));
    const CheckOptions asked{
        .call = "the call", .output_schema = schema ? &*schema : nullptr, .contract = one.contract};
    std::vector<std::pair<Rule, Severity>> got;
    std::string said;
    for (const Finding& finding : check_answer(json::parse_own(one.result).view(), asked)) {
      got.emplace_back(finding.rule, finding.severity);
      said += finding.what + "\n";
      EXPECT_EQ(finding.call, "the call");
    }
    EXPECT_EQ(got, one.want) << said;
    EXPECT_THAT(said, HasSubstr(one.says));
    EXPECT_THAT(said, Not(HasSubstr("ghp_aaaa"))) << "a secret is shown";
  }
}

TEST(AnswerRules, count_as_the_client_does_that_is_named) {
  const std::string long_text = text(std::string(40'000, 'x'));
  const json::Value result = json::parse_own(long_text);
  CheckOptions asked;
  asked.client = *token::find_profile("claude-code");
  EXPECT_TRUE(check_answer(result.view(), asked).empty());
  asked.client = *token::find_profile("gemini");
  const Findings found = check_answer(result.view(), asked);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(
      found.front().what,
      HasSubstr("40,000 characters; a client of the profile \"gemini\" shows at most 39,850"));
  EXPECT_THAT(found.front().what, Not(HasSubstr("claude")));
}

TEST(AnswerRules, count_what_the_model_of_a_client_reads) {
  const std::string much(30'000, 'x');
  const json::Value result = json::parse_own(
      text(much, fmt::format(R"(,"structuredContent":{{"a":"{}"}})", std::string(34'000, 'y'))));
  const auto says = [&](const char* client) {
    const CheckOptions asked{.client = *token::find_profile(client)};
    const Findings found = check_answer(result.view(), asked);
    return found.empty() ? std::string() : found.front().what;
  };
  EXPECT_EQ(says("gemini"), "") << "it reads the text";
  EXPECT_EQ(says("vscode"),
            "34,008 characters; a client of the profile \"vscode\" shows at most 32,000");
  EXPECT_EQ(says("copilot"),
            "13,480 tokens; a client of the profile \"copilot\" shows at most 10,000")
      << "both";
  EXPECT_EQ(says("generic"),
            "34,008 characters; a client of the profile \"generic\" shows at most 32,000")
      << "any";
}

TEST(AnswerRules, name_the_contract_that_is_spoken) {
  EXPECT_EQ(contract_in(json::parse_own(text(kEnvelope)).view()), contract::Id::response_v2);
  EXPECT_EQ(contract_in(json::parse_own(text("Hello")).view()), std::nullopt);
  EXPECT_EQ(contract_in(json::parse_own(text(R"({"success":true})")).view()), std::nullopt);
}

TEST(AnswerRules, tell_protocol_errors_from_those_of_a_tool) {
  struct Refused {
    std::int64_t code;
    std::size_t want;
  };
  for (const Refused one :
       {Refused{-32602, 1}, {-32603, 1}, {-32601, 1}, {-32042, 0}, {-32021, 0}}) {
    SCOPED_TRACE(one.code);
    EXPECT_EQ(check_refusal({one.code, "no", std::nullopt}, {}).size(), one.want);
  }
}

}  // namespace
}  // namespace enfold::check
