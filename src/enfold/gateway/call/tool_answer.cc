// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/tool_answer.h"

#include "enfold/contract/errors/failures.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/redact/redact.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

namespace failures = contract::failures;

std::string remedy_over_http(const client::CallFailure& failure) {
  const int status = failure.http_status;
  if (failure.error.code == ErrorCode::unauthorized) {
    return "Check the headers that the gateway's configuration has for this server.";
  }
  if ((status >= 300 && status < 400) || status == 404 || status == 405) {
    return "Check the url that the gateway's configuration has for this server.";
  }
  return "Try again later, or ask the operator of the server.";
}

}  // namespace

const redact::Policy* policy_of(const tools::CallPlan& plan) {
  const auto& policy = plan.fit.shape.redaction;
  return plan.contract && policy ? &*policy : nullptr;
}

client::CallResult without_secrets(client::CallResult result, const tools::CallPlan& plan) {
  const redact::Policy* const policy = policy_of(plan);
  if (result || !result.error().refusal || policy == nullptr) return result;
  mcp::RpcError& error = *result.error().refusal;
  const json::Value message = json::string_value(error.message);
  if (const auto clean = redact::redact(message.view(), *policy); clean && clean->changed) {
    error.message = clean->value->string();
  }
  if (!error.data) return result;
  if (auto clean = redact::redact(error.data->view(), *policy); clean && clean->changed) {
    error.data = std::move(clean->value);
  }
  return result;
}

// The other members of the message stay unchanged.
mcp::Reply replace_task_result(const json::Value& message, mcp::Reply answer) {
  auto* const whole = std::get_if<mcp::Complete>(&answer);
  const auto former = message->find("result");
  if (whole == nullptr || !former) return answer;
  const auto type = former->find("resultType");
  json::Writer writer;
  mcp::Overlay()
      .member("result",
              [&](json::Writer& out) {
                out.begin_object();
                if (type) out.key("resultType").value(*type);
                if (auto* const written = std::get_if<json::Output>(&whole->object)) {
                  out.splice_members(std::move(*written));
                } else {
                  mcp::Overlay().write_members(out,
                                               std::get_if<json::Value>(&whole->object)->view());
                }
                out.end_object();
              })
      .write(writer, message.view());
  return mcp::UpstreamResult{std::move(writer).finish_value()};
}

bool is_finished_answer(json::View result) {
  if (mcp::result_type(result) != mcp::ResultType::complete) return false;
  const bool answers = result.find("content") || result.find("structuredContent");
  return answers || !result.find("task");
}

ToolAnswer begin_answer(const json::Value& result, const AnswerContext& about) {
  answer::BeginResult begun = answer::begin(result, about.plan, about.duration);
  if (auto* prepared = std::get_if<answer::Prepared>(&begun)) return std::move(*prepared);
  return tools::reply_of(std::move(*std::get_if<answer::ShapedAnswer>(&begun)));
}

tools::ToolReply finish_answer(answer::Prepared prepared, const AnswerContext& about) {
  return tools::store_and_finish(std::move(prepared), about.plan, *about.services);
}

tools::ToolReply answer_failure(model::Response failed, const AnswerContext& about) {
  return tools::reply_with_failure(std::move(failed), about.plan, about.duration);
}

tools::ToolReply too_busy(const AnswerContext& about) {
  return answer_failure(contract::make_failure(failures::Unavailable{
                            .message = "The gateway is busy", .retry_after = 1, .extra = {}}),
                        about);
}

model::Response failure_of(const client::CallFailure& failure, const AnswerContext& about) {
  const Error& error = failure.error;
  const std::string& upstream = about.upstream;
  failures::Other description;
  description.type = model::ErrorType::unavailable;
  description.extra.request_id = about.plan.request_id;
  const std::string who = upstream.empty() ? "The server" : fmt::format("The server {}", upstream);
  switch (error.code) {
    case ErrorCode::timed_out:
      description.code = "UPSTREAM_TIMEOUT";
      description.message = who + " did not answer in time";
      description.extra.remediation = {"Ask for less at a time, or try again later."};
      break;
    case ErrorCode::protocol_violation:
    case ErrorCode::limit_exceeded:
      description.code = "UPSTREAM_PROTOCOL_ERROR";
      description.message =
          fmt::format("{} gave an answer that cannot be used: {}", who, error.message);
      description.extra.remediation = {"Report it to the operator of the server."};
      break;
    default:
      description.code = "UPSTREAM_UNAVAILABLE";
      description.message = fmt::format("{} is not available: {}", who, error.message);
      description.extra.remediation = {about.over_http
                                           ? remedy_over_http(failure)
                                           : "Try again: a server that ended is restarted."};
  }
  model::Response response = contract::make_failure(description);
  if (failure.retry_after && response.failure) {
    response.failure->retry_after = model::Number::of(failure.retry_after->count());
  }
  return response;
}

}  // namespace enfold::gateway
