// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/negotiation/negotiation.h"

#include "enfold/json/write.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

std::string data_of(const model::Response& response) {
  return json::to_text(response.payload.value().view());
}

constexpr ServerFeatures kAll{
    .pagination = true, .rate_limit_headers = true, .feature_flags = true, .max_batch_size = 100};

CapabilityAnswer asked(std::string_view arguments, bool v2 = true) {
  return negotiate_capabilities(json::parse_own(arguments).view(), kAll, v2);
}

TEST(VersionName, has_many_spellings) {
  struct Case {
    std::string_view text, want;  // empty: unknown
  };
  const Case cases[] = {
      {"v2", "response-v2"},
      {"2", "response-v2"},
      {"response-v2", "response-v2"},
      {"response-v2.1.0", "response-v2"},
      {"response-v2.0", "response-v2"},
      {"2.0.0", "response-v2"},
      {"v2.3", "response-v2"},
      {" Response-V2 ", "response-v2"},
      {"v1", "response-v1"},
      {"1", "response-v1"},
      {"response-v1", "response-v1"},
      {"response-v1.0.0", "response-v1"},
      {"generic", "generic"},
      {"scalpel-v1", "scalpel-v1"},
      {"scalpel-v1.0", "scalpel-v1"},
      {"memory", "memory"},
      {"none", "none"},
      {"v3", ""},
      {"response-v3", ""},
      {"response-v20", ""},
      {"response-v2.", ""},
      {"response-v2.x", ""},
      {"response-v2.1.0.0", ""},
      {"response-v2-beta", ""},
      {"scalpel-v2", ""},
      {"vresponse-v2", ""},
      {"v", ""},
      {"", ""},
      {"json", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(parse_version_name(c.text).value_or(""), c.want) << c.text;
}

TEST(VersionName, reads_every_contract_that_can_be_answered_in) {
  EXPECT_EQ(answer_contracts().size(), 6U);
  EXPECT_EQ(answer_contracts().front(), "response-v2");
  for (const std::string_view contract : answer_contracts()) {
    EXPECT_EQ(parse_version_name(contract), contract);
  }
}

TEST(StatedVersion, is_found_in_each_form) {
  struct Case {
    const char* json;
    const char* want;  // "-": nothing
  };
  const Case cases[] = {{R"("v2")", "v2"},
                        {"2", "2"},
                        {R"({"response_contract":"v2"})", "v2"},
                        {R"({"contract":"generic"})", "generic"},
                        {R"({"version":1})", "1"},
                        {R"({"version":"v1","response_contract":"v2"})", "v2"},
                        {"true", "true"},
                        {R"({"contract":["v2"]})", R"(["v2"])"},
                        {R"({"contract":null})", "-"},
                        {R"({"contract":{}})", "-"},
                        {"{}", "-"},
                        {"null", "-"},
                        {R"("  ")", "-"}};
  for (const Case& c : cases) {
    EXPECT_EQ(stated_version(json::parse_own(c.json).view()).value_or("-"), c.want) << c.json;
  }
}

TEST(Negotiation, lets_the_nearest_to_the_call_win) {
  NegotiationInputs inputs{.call_meta = "memory",
                           .tool_negotiated = "scalpel-v1",
                           .initialize = "generic",
                           .client_config = "v1",
                           .default_config = "none"};
  const auto expect = [&](const char* contract) {
    const ContractChoice result = negotiate(inputs);
    EXPECT_EQ(result.contract, contract);
    EXPECT_TRUE(result.warnings.empty());
  };
  expect("memory");
  inputs.call_meta.reset();
  expect("scalpel-v1");
  inputs.tool_negotiated.reset();
  expect("generic");
  inputs.initialize = "";
  expect("response-v1");
  inputs.client_config.reset();
  expect("none");
  inputs.default_config.reset();
  expect("response-v2");
}

TEST(Negotiation, passes_over_an_unknown_version_and_says_so) {
  const ContractChoice result =
      negotiate({.call_meta = "response-v9", .initialize = "v7", .client_config = "generic"});
  EXPECT_EQ(result.contract, "generic");
  ASSERT_EQ(result.warnings.size(), 2U);
  EXPECT_EQ(result.warnings[0].code, "UNSUPPORTED_VERSION");
  EXPECT_EQ(result.warnings[0].severity, model::Severity::warning);
  EXPECT_EQ(result.warnings[0].message,
            R"(Version "response-v9" is not supported. Answers are in generic)");
  EXPECT_EQ(json::to_text(result.warnings[1].context->view()),
            R"({"requested":"v7","used":"generic","supported":["response-v2","response-v1",)"
            R"("generic","scalpel-v1","memory"]})");
}

TEST(Negotiation, answers_in_no_contract_only_where_the_operator_allows_it) {
  for (const NegotiationInputs& asked :
       {NegotiationInputs{.call_meta = "none"}, NegotiationInputs{.tool_negotiated = " NONE"},
        NegotiationInputs{.initialize = "none"}}) {
    NegotiationInputs inputs = asked;
    inputs.default_config = "memory";
    const ContractChoice refused = negotiate(inputs);
    EXPECT_EQ(refused.contract, "memory");
    ASSERT_EQ(refused.warnings.size(), 1U);
    EXPECT_EQ(refused.warnings[0].code, "UNSUPPORTED_VERSION");
    EXPECT_EQ(refused.warnings[0].message,
              "Answers without a contract are not allowed here. Answers are in memory");
    inputs.allows_none = true;
    EXPECT_EQ(negotiate(inputs).contract, "none");
    EXPECT_TRUE(negotiate(inputs).warnings.empty());
  }
}

TEST(Capabilities, are_negotiated_without_none_unless_it_is_allowed) {
  const json::Value asks = json::parse_own(R"({"requested_version":"none"})");
  const CapabilityAnswer refused = negotiate_capabilities(asks.view(), kAll, true, "generic");
  EXPECT_FALSE(refused.contract.has_value());
  EXPECT_FALSE(refused.response.failure.has_value());
  EXPECT_EQ(json::to_text(*refused.response.payload->view().find("negotiated")),
            R"({"response_version":"generic","features":{}})");
  ASSERT_EQ(refused.response.warnings.size(), 1U);
  ServerFeatures allowed = kAll;
  allowed.allows_none = true;
  EXPECT_EQ(negotiate_capabilities(asks.view(), allowed, true, "generic").contract, "none");
  EXPECT_NE(data_of(capabilities("1", allowed)).find(R"("memory","none"])"), std::string::npos);
}

TEST(Negotiation, switches_to_the_legacy_form_when_the_flag_is_off) {
  struct Case {
    const char* name;
    NegotiationInputs inputs;
    const char* contract;
    std::size_t warnings;
  };
  const Case cases[] = {
      {"client asks in the call", {.call_meta = "v2"}, "response-v1", 1},
      {"client asks with the tool", {.tool_negotiated = "response-v2"}, "response-v1", 1},
      {"client asks at the start", {.initialize = "2"}, "response-v1", 1},
      {"operator's choice", {.client_config = "v2"}, "response-v1", 0},
      {"operator's default", {.default_config = "v2"}, "response-v1", 0},
      {"nobody asks", {}, "response-v1", 0},
      {"legacy asked for", {.call_meta = "v1"}, "response-v1", 0},
      {"other contract", {.call_meta = "generic"}, "generic", 0},
      {"pass-through", {.client_config = "none"}, "none", 0},
      {"unknown", {.call_meta = "v9"}, "response-v1", 1},
  };
  for (const Case& c : cases) {
    NegotiationInputs inputs = c.inputs;
    inputs.response_contract_v2 = false;
    const ContractChoice result = negotiate(inputs);
    EXPECT_EQ(result.contract, c.contract) << c.name;
    ASSERT_EQ(result.warnings.size(), c.warnings) << c.name;
    if (c.warnings == 1) {
      EXPECT_NE(result.warnings[0].message.find("not supported"), std::string::npos) << c.name;
      EXPECT_NE(result.warnings[0].message.find("response-v1"), std::string::npos) << c.name;
    }
  }
}

TEST(CapabilityNegotiation, answers_both_call_forms) {
  struct Case {
    const char* arguments;
    const char* want;
  };
  const Case cases[] = {
      {R"({"client_capabilities":{"response_contract":"v2"}})",
       R"({"schema_version":"1.0.0","negotiated":{"response_version":"response-v2","features":{}},"warnings":null})"},
      {R"({"requested_version":"response-v2"})",
       R"({"schema_version":"1.0.0","negotiated":{"response_version":"response-v2","features":{}},"warnings":null})"},
      {R"({"requested_version":2,"requested_features":"pagination, feature_flags,,pagination"})",
       R"({"schema_version":"1.0.0","negotiated":{"response_version":"response-v2","features":{"pagination":true,"feature_flags":true}},"warnings":null})"},
      {R"({"requested_features":["pagination","rate_limit_headers","streaming"]})",
       R"({"schema_version":"1.0.0","negotiated":{"features":{"pagination":true,"rate_limit_headers":true,"streaming":false}},"warnings":null})"},
      {R"({"requested_version":"v1","client_capabilities":{"response_contract":"v2","features":["pagination"]}})",
       R"({"schema_version":"1.0.0","negotiated":{"response_version":"response-v1","features":{"pagination":true}},"warnings":null})"},
      {"{}", R"({"schema_version":"1.0.0","negotiated":{"features":{}},"warnings":null})"},
      {"[]", R"({"schema_version":"1.0.0","negotiated":{"features":{}},"warnings":null})"},
      {R"({"requested_version":null,"requested_features":null})",
       R"({"schema_version":"1.0.0","negotiated":{"features":{}},"warnings":null})"},
  };
  for (const Case& c : cases) {
    const CapabilityAnswer answer = asked(c.arguments);
    EXPECT_EQ(answer.response.outcome, model::Outcome::ok) << c.arguments;
    EXPECT_EQ(data_of(answer.response), c.want) << c.arguments;
    EXPECT_TRUE(answer.response.warnings.empty()) << c.arguments;
  }
}

TEST(CapabilityNegotiation, answers_an_unknown_version_with_its_own_and_a_warning) {
  const CapabilityAnswer answer = asked(R"({"requested_version":"response-v9"})");
  EXPECT_EQ(answer.contract, std::nullopt);
  EXPECT_EQ(answer.response.outcome, model::Outcome::ok);
  ASSERT_EQ(answer.response.warnings.size(), 1U);
  EXPECT_EQ(answer.response.warnings[0].code, "UNSUPPORTED_VERSION");
  EXPECT_EQ(
      data_of(answer.response),
      R"({"schema_version":"1.0.0","negotiated":{"response_version":"response-v2","features":{}},)"
      R"("warnings":["Version \"response-v9\" is not supported. Answers are in response-v2"]})");
}

TEST(CapabilityNegotiation, leaves_an_unknown_version_to_the_contract_in_use) {
  const json::Value arguments = json::parse_own(R"({"requested_version":"response-v9"})");
  const CapabilityAnswer answer = negotiate_capabilities(arguments.view(), {}, true, "memory");
  EXPECT_EQ(answer.contract, std::nullopt);
  EXPECT_EQ(data_of(answer.response),
            R"({"schema_version":"1.0.0","negotiated":{"response_version":"memory","features":{}},)"
            R"("warnings":["Version \"response-v9\" is not supported. Answers are in memory"]})");
}

TEST(CapabilityNegotiation, answers_an_unknown_feature_with_false_and_a_warning) {
  const CapabilityAnswer answer = asked(R"({"requested_features":"pagination,telepathy"})");
  EXPECT_EQ(answer.contract, std::nullopt);
  ASSERT_EQ(answer.response.warnings.size(), 1U);
  EXPECT_EQ(answer.response.warnings[0].code, "UNKNOWN_FEATURE");
  EXPECT_EQ(data_of(answer.response),
            R"({"schema_version":"1.0.0","negotiated":{"features":{"pagination":true,"telepathy":)"
            R"(false}},"warnings":["Feature \"telepathy\" is not recognized. It is off"]})");
}

TEST(CapabilityNegotiation, never_fails_on_odd_arguments) {
  for (const char* arguments :
       {R"({"requested_version":true})", R"({"requested_version":["v2"]})",
        R"({"client_capabilities":{"response_contract":false}})", R"({"requested_features":7})",
        R"({"requested_features":[1]})", R"({"requested_features":{"a":true}})"}) {
    const CapabilityAnswer answer = asked(arguments);
    EXPECT_EQ(answer.response.outcome, model::Outcome::ok) << arguments;
    EXPECT_EQ(answer.response.warnings.size(), 1U) << arguments;
  }
}

TEST(CapabilityNegotiation, tells_a_client_that_version_two_is_switched_off) {
  const CapabilityAnswer answer =
      asked(R"({"client_capabilities":{"response_contract":"v2"}})", false);
  EXPECT_EQ(answer.contract, "response-v1");
  ASSERT_EQ(answer.response.warnings.size(), 1U);
  EXPECT_NE(answer.response.warnings[0].message.find("response_contract_v2 is off"),
            std::string::npos);
}

TEST(Capabilities, state_what_the_server_offers) {
  EXPECT_EQ(
      data_of(capabilities("1.2.3", kAll)),
      R"({"schema_version":"1.0.0","server_version":"1.2.3","api_version":"2024-11-01",)"
      R"("capabilities":{"response_version":"response-v2","streaming":false,)"
      R"("batch_operations":false,"pagination":true,"max_batch_size":100,)"
      R"("rate_limit_headers":true,"formats":["json"],"feature_flags":true},)"
      R"("response_contract_v2":true,"response_version":{"current":"response-v2","supported":)"
      R"(["response-v2","response-v1","generic","scalpel-v1","memory"]},)"
      R"("pagination":{"default_page_size":100,"max_page_size":1000,)"
      R"("cursor_format":"opaque_base64"}})");
}

TEST(Capabilities, follow_the_flag_and_the_features) {
  const auto response =
      capabilities("1", {.streaming = true, .batch = true, .max_batch_size = 5}, false);
  const json::View data = response.payload->view();
  const json::View offered = data.find("capabilities").value();
  EXPECT_TRUE(offered.find("response_version")->equals("response-v1"));
  EXPECT_TRUE(offered.find("streaming")->boolean());
  EXPECT_TRUE(offered.find("batch_operations")->boolean());
  EXPECT_EQ(offered.find("max_batch_size")->integer(), 5);
  EXPECT_FALSE(data.find("response_contract_v2")->boolean());
  EXPECT_TRUE(data.find("response_version")->find("supported")->item(0)->equals("response-v1"));
}

}  // namespace
}  // namespace enfold::contract
