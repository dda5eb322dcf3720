// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/tool_answer.h"

#include "enfold/answer/media_type.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/contract/errors/warning_codes.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/meta.h"
#include "enfold/model/content.h"
#include "enfold/redact/redact.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

namespace failures = contract::failures;

bool is_kept(const json::Member& member) {
  if (model::is_answer_member(member.key)) return false;
  // Who answered is for the peer to say.
  const bool only_says_who = member.key.equals("_meta") && member.value.size() == 1 &&
                             member.value.find(mcp::meta::server_info);
  return !only_says_who;
}

// What stands beside the answer stays beside it: `_meta`, and members that nobody here knows.
server::Concluded with_foreign_members(server::Concluded concluded, json::View result) {
  bool any = false;
  for (const json::Member& member : result.members()) any = any || is_kept(member);
  auto* whole = std::get_if<mcp::Complete>(&concluded.reply);
  auto* written = whole != nullptr ? std::get_if<json::Output>(&whole->object) : nullptr;
  if (!any || written == nullptr) return concluded;
  json::Writer writer;
  writer.begin_object().splice_members(std::move(*written));
  for (const json::Member& member : result.members()) {
    if (!is_kept(member)) continue;
    writer.key(member.key);
    if (member.key.equals("_meta") && member.value.is_object()) {
      mcp::Overlay().without(mcp::meta::server_info).write(writer, member.value);
    } else {
      writer.value(member.value);
    }
  }
  writer.end_object();
  concluded.reply = mcp::complete(std::move(writer).finish_value());
  return concluded;
}

void add(model::Response& response, const ToolAnswering& about) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  response.tool.id = about.tool->spec.name;
  if (response.tool.version.empty()) response.tool.version = about.shared->server->version();
  append(response.warnings, about.plan.warnings);
  append(response.warnings, about.plan.level.warnings);
  server::add_rate_limit(response, *about.tool, about.plan);
  if (!about.from_cache) return;
  if (!response.telemetry) response.telemetry.emplace();
  response.telemetry->cache_hit = true;
}

// The status stands in the words of the error.
std::string remedy_over_http(const Error& error) {
  const auto has_status = [&](std::string_view status) {
    return error.message.find(fmt::format("HTTP status {}", status)) != std::string::npos;
  };
  if (error.code == ErrorCode::unauthorized) {
    return "Check the headers that the gateway's configuration has for this server.";
  }
  if (has_status("3") || has_status("404") || has_status("405")) {
    return "Check the url that the gateway's configuration has for this server.";
  }
  return "Try again later, or ask whoever runs the server.";
}

server::Concluded unreadable(const ToolAnswering& about) {
  return server::conclude_failure(
      contract::make_failure(failures::Internal{.message = "The tool's answer could not be read",
                                                .extra = {.request_id = about.plan.request_id}}),
      *about.tool, about.plan, about.facts, *about.shared);
}

// Embedded texts and links stand in the payload with the other blocks, for those who read only
// that. Clients can do more with them as blocks, so they are beside it too, as long as there is
// room.
std::optional<answer::Understood> with_all_blocks(const answer::Understood& answer) {
  const model::Response& response = answer.reading.response;
  const auto content = answer.source->find("content");
  if (response.wrapping != model::Wrapping::content || !content) return std::nullopt;
  std::vector<json::Value> blocks;
  for (const json::View block : content->items()) {
    const auto type = block.find("type");
    if (type && !type->equals("text")) blocks.emplace_back(block);
  }
  if (blocks.size() == response.blocks.size()) return std::nullopt;
  answer::Understood richer = answer;
  richer.reading.response.blocks = std::move(blocks);
  return richer;
}

// Nobody sees it until it is safe, not even when it is small.
answer::Prepared to_keep(answer::Understood answer) {
  answer::Prepared prepared{.answer = std::move(answer), .fits = false};
  prepared.original = answer::Original(prepared.answer);
  prepared.media_type = answer::media_type({prepared.answer.from, false, false});
  return prepared;
}

server::Concluded refuse_schema(const answer::Prepared& prepared, const ToolAnswering& about) {
  const auto kept = server::keep(prepared, *about.tool, about.plan, *about.shared);
  model::Response failed = failure_of(*about.refused, about.tool->spec.name,
                                      kept ? kept->handle : "", about.plan.request_id);
  if (!kept) {
    failed.warnings.push_back(contract::make_warning(
        "ARCHIVE_WRITE_FAILED", "What the tool answered could not be stored and is lost"));
  }
  return server::conclude_failure(std::move(failed), *about.tool, about.plan, about.facts,
                                  *about.shared);
}

}  // namespace

const redact::Policy* policy_of(const server::CallPlan& plan) {
  const auto& policy = plan.fit.shape.redaction;
  return plan.contract && policy ? &*policy : nullptr;
}

client::CallResult without_secrets(client::CallResult result, const server::CallPlan& plan) {
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

// What else the message says stays as it was said.
mcp::Reply in_place(const json::Value& message, mcp::Reply answer) {
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
  return mcp::Relayed{std::move(writer).finish_value()};
}

bool is_finished_answer(json::View result) {
  if (mcp::result_type(result) != mcp::ResultType::complete) return false;
  const bool answers = result.find("content") || result.find("structuredContent");
  return answers || !result.find("task");
}

server::Begun begin_answer(const json::Value& result, ToolAnswering& about) {
  const answer::FitSettings& fit = about.plan.fit;
  Result<answer::Understood> understood = answer::understand(
      result, contract::Id::mcp, fit.shape, server::call_of(*about.tool, about.plan, about.facts));
  if (!understood) return unreadable(about);
  model::Response& response = understood->reading.response;
  add(response, about);
  const json::Value source = understood->source;  // after redaction
  if (about.check != OutputCheck::off && about.tool->payload) {
    about.refused = check_output(*understood, *about.tool);
    if (about.refused && about.check == OutputCheck::strict) return to_keep(std::move(*understood));
    if (about.refused) response.warnings.push_back(warning_of(*about.refused));
    about.refused.reset();
  }
  if (response.wrapping != model::Wrapping::content && response.blocks.empty() &&
      4 * result->raw().size() <= fit.budget.tokens) {
    Result<json::Output> whole = answer::write_result(*understood, fit.shape);
    if (whole && server::fits_for_certain(*whole, fit.budget)) {
      return with_foreign_members(server::concluded(response, std::move(*whole)), source.view());
    }
  }
  Result<answer::Prepared> prepared = fail(ErrorCode::internal, "nothing was prepared");
  if (auto richer = with_all_blocks(*understood)) {
    prepared = answer::prepare(std::move(*richer), fit);
  }
  if (!prepared || !prepared->fits) prepared = answer::prepare(std::move(*understood), fit);
  if (!prepared) return unreadable(about);
  if (!prepared->fits) return std::move(*prepared);
  Result<json::Output> whole = answer::write_result(prepared->answer, fit.shape);
  if (!whole) return unreadable(about);
  server::Concluded done = server::concluded(prepared->answer.reading.response, std::move(*whole));
  done.tokens = prepared->size.tokens;
  return with_foreign_members(std::move(done), source.view());
}

server::Concluded finish_answer(answer::Prepared prepared, const ToolAnswering& about) {
  if (about.refused) return refuse_schema(prepared, about);
  const json::Value source = prepared.answer.source;
  return with_foreign_members(
      server::finish_answer(std::move(prepared), *about.tool, about.plan, *about.shared),
      source.view());
}

server::Concluded too_busy(const ToolAnswering& about) {
  return server::conclude_failure(
      contract::make_failure(
          failures::Unavailable{.message = "The gateway is busy", .retry_after = 1, .extra = {}}),
      *about.tool, about.plan, about.facts, *about.shared);
}

model::Response failure_of(const client::CallFailure& failure, const ToolAnswering& about) {
  const Error& error = failure.error;
  const std::string& upstream = about.upstream;
  failures::Other told;
  told.type = model::ErrorType::unavailable;
  told.extra.request_id = about.plan.request_id;
  const std::string who = upstream.empty() ? "The server" : fmt::format("The server {}", upstream);
  switch (error.code) {
    case ErrorCode::timed_out:
      told.code = "UPSTREAM_TIMEOUT";
      told.message = who + " did not answer in time";
      told.extra.remediation = {"Ask for less at a time, or try again later."};
      break;
    case ErrorCode::protocol_violation:
    case ErrorCode::limit_exceeded:
      told.code = "UPSTREAM_PROTOCOL_ERROR";
      told.message = fmt::format("{} gave an answer that cannot be used: {}", who, error.message);
      told.extra.remediation = {"Report it to whoever runs the server."};
      break;
    default:
      told.code = "UPSTREAM_UNAVAILABLE";
      told.message = fmt::format("{} is not available: {}", who, error.message);
      told.extra.remediation = {about.over_http
                                    ? remedy_over_http(error)
                                    : "Try again: a server that ended is started anew."};
  }
  model::Response response = contract::make_failure(told);
  if (failure.retry_after && response.failure) {
    response.failure->retry_after = model::Number::of(failure.retry_after->count());
  }
  return response;
}

}  // namespace enfold::gateway
