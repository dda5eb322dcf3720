// SPDX-License-Identifier: Apache-2.0
// The same through the functions that the gateway calls, for many more lists.
#include "enfold/server/testing/manual_host.h"
#include "enfold/store/stores.h"
#include "enfold/tools/call/tool_run.h"
#include "enfold/tools/fetch_tool.h"
#include "tests/promises/pages/client.h"

namespace enfold::tools {
namespace {

/// Answers calls as the gateway does.
class Desk {
 public:
  json::Value call(const std::string& tool, const std::string& arguments, const std::string& meta) {
    const CallPlan plan = plan_of(tool, json::parse_own(arguments), json::parse_own(meta));
    const ToolReply reply = answer_to(plan);
    return json::parse_own(
        std::get<json::Output>(std::get<mcp::CompleteResult>(reply.reply).object).str());
  }

 private:
  CallPlan plan_of(const std::string& tool, const json::Value& arguments, const json::Value& meta) {
    CallPlan plan;
    plan.principal = "ann";
    plan.contract = contract::from_name(meta->find("dev.enfold/contract")->string());
    plan.fit.shape.contract = *plan.contract;
    const auto tokens = static_cast<std::size_t>(*meta->find("dev.enfold/budget")->integer());
    plan.fit.budget = {tokens, 32'000, std::nullopt};
    plan.tool.id = tool;
    plan.called_as = tool;
    plan.arguments = arguments;
    plan.input_schema = schema_.view();
    plan.request_id = "req_0123456789ab";
    plan.request_id_in_envelope = false;
    return plan;
  }

  ToolReply answer_to(const CallPlan& plan) {
    if (plan.tool.id == kFetchTool) {
      const FetchSource source{services_.archive.get(), &services_.key, plan.principal,
                               store_time(host_)};
      return reply_of(answer::write_fitted(
          fetch(plan.arguments.view(), source, plan.fit, answer::call_of(plan, {})), plan));
    }
    if (const auto cursor = own_cursor(plan.arguments.view(), OfferedTool(), services_.key)) {
      return continue_reply(*cursor, plan, services_, {});
    }
    json::Writer writer;
    writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
    writer.member("text", testing::page_of_form(plan.arguments.view()));
    writer.end_object().end_array().end_object();
    answer::BeginResult begun = answer::begin(std::move(writer).finish_value(), plan, {});
    if (auto* shaped = std::get_if<answer::ShapedAnswer>(&begun))
      return reply_of(std::move(*shaped));
    return store_and_finish(std::get<answer::PreparedAnswer>(std::move(begun)), plan, services_);
  }

  json::Value schema_ = json::parse_own(R"({"properties":{"cursor":{}}})");
  ServiceSettings settings_;
  server::ManualHost host_;
  AnswerServices services_{
      .settings = &settings_,
      .name = "tests",
      .version = "1",
      .host = &host_,
      .archive = store::memory_archive(),
      .counters = nullptr,
      .key = *contract::CursorKey::from_bytes("0123456789abcdef0123456789abcdef"),
      .contract_with_v2_flag = contract::Id::response_v2,
      .contract_without_v2_flag = contract::Id::response_v1};
};

TEST(Pages, lead_through_the_functions_of_the_gateway_to_every_record_once) {
  const int cases = testing::property_cases(500, 50'000);
  Desk desk;
  const int wrong = testing::follow(
      cases, [&](const std::string& tool, const std::string& arguments, const std::string& meta) {
        return desk.call(tool, arguments, meta);
      });
  EXPECT_EQ(wrong, 0) << "of " << cases;
}

}  // namespace
}  // namespace enfold::tools
