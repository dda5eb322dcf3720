// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/schema/schema.h"
#include "enfold/tools/local_tools.h"

#include <gtest/gtest.h>

namespace enfold::tools {
namespace {

class ServerTool : public testing::Test {
 protected:
  ServerAnswer ask(const char* arguments) {
    ServerFacts facts;
    facts.name = "books";
    facts.version = "2.1.0";
    facts.flags = &flags;
    facts.has_session = has_session;
    facts.tools = {
        {"look_up", "Finds a book", json::parse_own(R"({"type":"object"})"), {}},
        {"list",
         "Lists books",
         json::parse_own(R"({"properties":{"cursor":{},"limit":{"default":20,"maximum":50}}})"),
         {}}};
    return answer_server_tool(json::parse_own(arguments).view(), facts);
  }
  static std::string at(const ServerAnswer& answer, const char* pointer) {
    if (!answer.response.payload) return "(no payload)";
    const auto found = json::Pointer::parse(pointer)->resolve(answer.response.payload->view());
    return found ? json::to_text(*found) : "(none)";
  }
  contract::Flags flags = contract::Flags::standard();
  bool has_session = true;
};

TEST_F(ServerTool, tells_its_capabilities) {
  const ServerAnswer answer = ask(R"({"action":"capabilities"})");
  EXPECT_EQ(at(answer, "/server_version"), R"("2.1.0")");
  EXPECT_EQ(at(answer, "/response_version/current"), R"("response-v2")");
}

TEST_F(ServerTool, claims_nothing_that_the_service_does_not_do) {
  const ServerAnswer answer = ask(R"({"action":"capabilities"})");
  for (const char* feature :
       {"streaming", "batch_operations", "pagination", "rate_limit_headers"}) {
    EXPECT_EQ(at(answer, (std::string("/capabilities/") + feature).c_str()), "false") << feature;
  }
  EXPECT_EQ(at(answer, "/capabilities/max_batch_size"), "(none)");
  EXPECT_EQ(at(answer, "/pagination"), "(none)");
}

TEST_F(ServerTool, tells_the_capabilities_of_one_tool) {
  const ServerAnswer list = ask(R"({"action":"capabilities","tool":"list"})");
  EXPECT_EQ(at(list, "/pagination"), "true");
  EXPECT_EQ(at(list, "/page_size"), R"({"argument":"limit","default":20,"maximum":50})");
  const ServerAnswer look_up = ask(R"({"action":"capabilities","tool":"look_up"})");
  EXPECT_EQ(at(look_up, "/pagination"), "false");
  EXPECT_EQ(at(look_up, "/page_size"), "(none)");
  EXPECT_EQ(ask(R"({"action":"capabilities","tool":"x"})").response.failure->code, "NOT_FOUND");
}

TEST_F(ServerTool, says_that_nothing_is_remembered_without_a_session) {
  has_session = false;
  const ServerAnswer answer = ask(R"({"action":"capability-negotiate","requested_version":"v1"})");
  EXPECT_EQ(answer.contract, std::nullopt);
  EXPECT_EQ(at(answer, "/negotiated/response_version"), R"("response-v1")");
  ASSERT_EQ(answer.response.warnings.size(), 1U);
  EXPECT_EQ(answer.response.warnings[0].code, "NOT_REMEMBERED");
  EXPECT_NE(answer.response.warnings[0].message.find("dev.enfold/contract"), std::string::npos);
}

TEST_F(ServerTool, negotiates_under_either_spelling_of_the_action) {
  for (const char* arguments :
       {R"({"action":"capability-negotiate","requested_version":"v1"})",
        R"({"action":"capability_negotiate","client_capabilities":{"response_contract":"v1"}})"}) {
    EXPECT_EQ(ask(arguments).contract, "response-v1");
  }
}

TEST_F(ServerTool, agrees_to_no_v2_while_its_flag_is_off) {
  flags.set_override(contract::kResponseContractFlag, false);
  const ServerAnswer answer = ask(R"({"action":"capability-negotiate","requested_version":"v2"})");
  EXPECT_EQ(answer.contract, "response-v1");
  EXPECT_FALSE(answer.response.warnings.empty());
}

TEST_F(ServerTool, lists_tools_and_their_schemas) {
  EXPECT_EQ(at(ask(R"({"action":"tools"})"), "/tools"),
            R"([{"name":"look_up","description":"Finds a book"},)"
            R"({"name":"list","description":"Lists books"}])");
  EXPECT_EQ(at(ask(R"({"action":"schema","tool":"look_up"})"), "/input_schema"),
            R"({"type":"object"})");
}

TEST_F(ServerTool, lists_flags) {
  EXPECT_EQ(at(ask(R"({"action":"flags"})"), "/flags/response_contract_v2/enabled"), "true");
}

TEST_F(ServerTool, says_what_is_wrong_with_a_call) {
  struct Case {
    const char* arguments;
    const char* code;
  };
  for (const Case& one :
       {Case{"{}", "MISSING_REQUIRED"}, Case{R"({"action":"reboot"})", "VALIDATION_ERROR"},
        Case{R"({"action":"schema"})", "MISSING_REQUIRED"},
        Case{R"({"action":"schema","tool":"lookup"})", "NOT_FOUND"}}) {
    const ServerAnswer answer = ask(one.arguments);
    ASSERT_TRUE(answer.response.failure.has_value()) << one.arguments;
    EXPECT_EQ(answer.response.failure->code, one.code) << one.arguments;
  }
}

TEST_F(ServerTool, has_an_input_schema_that_accepts_each_of_its_actions) {
  const auto schema = schema::Schema::compile(server_tool_input_schema());
  ASSERT_TRUE(schema.has_value());
  for (const char* action : {"capabilities", "capability-negotiate", "tools", "schema", "flags"}) {
    const json::Value call = json::parse_own(std::string(R"({"action":")") + action + R"("})");
    EXPECT_TRUE(*schema->accepts(call.view())) << action;
  }
}

}  // namespace
}  // namespace enfold::tools
