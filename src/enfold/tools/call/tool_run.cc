// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/tool_run.h"

#include "enfold/answer/provenance.h"
#include "enfold/base/hash.h"
#include "enfold/contract/errors/failures.h"

#include <fmt/core.h>

namespace enfold::tools {
namespace {

// Archives bytes that belong to a call.
Result<answer::Receipt> store(std::string_view bytes, const std::string& media_type,
                              const CallPlan& plan, const AnswerServices& services) {
  if (!services.settings->keeps_originals) {
    return fail(ErrorCode::unsupported, "there is no archive");
  }
  const Result<store::Receipt> receipt =
      services.archive->put(plan.principal, bytes,
                            {.tool = plan.tool.id,
                             .arguments_hash = sha256_name(plan.arguments->raw()),
                             .media_type = media_type},
                            store_time(*services.host));
  if (receipt && receipt->is_volatile) {
    const Error problem{ErrorCode::unavailable, services.archive->health().problem};
    services.archive_log->note(&problem);
  } else {
    services.archive_log->note(receipt ? nullptr : &receipt.error());
  }
  if (!receipt) return tl::unexpected(receipt.error());
  return answer::Receipt{receipt->handle, receipt->hash, receipt->is_volatile};
}

// The handle that a call of `enfold_fetch` names, for the log; empty: none.
std::string fetched_handle(const OfferedTool& tool, const CallPlan& plan) {
  if (tool.spec.name != kFetchTool) return {};
  return json::string_member(plan.arguments.view(), "handle").value_or("");
}

namespace failures = contract::failures;
using answer::CallOutcome;

}  // namespace

ToolReply store_and_finish(answer::PreparedAnswer prepared, const CallPlan& plan,
                           const AnswerServices& services) {
  const Result<answer::Receipt> stored =
      store(prepared.to_store(), prepared.media_type, plan, services);
  return reply_of(
      answer::finish(std::move(prepared), stored, plan, {&services.key, plan.principal}));
}

Result<answer::Receipt> store_outcome(const json::Value& result, const CallPlan& plan,
                                      const AnswerServices& services) {
  const auto& policy = plan.fit.shape.redaction;
  ENFOLD_TRY(const json::Value shown, answer::pass_through(result, policy ? &*policy : nullptr));
  return store(shown->raw(), "application/json", plan, services);
}

FetchSource fetch_source(const CallPlan& plan, const AnswerServices& services) {
  return {.archive = services.archive.get(),
          .key = &services.key,
          .principal = plan.principal,
          .now = store_time(*services.host),
          .opened = services.opened.get()};
}

ToolReply continue_reply(const std::string& cursor, const CallPlan& plan,
                         const AnswerServices& services, answer::Duration duration) {
  return reply_of(answer::write_fitted(continue_call(cursor, fetch_source(plan, services), plan.fit,
                                                     answer::call_of(plan, duration), plan.tool.id),
                                       plan));
}

// The payload is part of an archived answer, so no payload schema applies.
ToolReply fetch_reply(const CallPlan& plan, const AnswerServices& services,
                      answer::Duration duration) {
  answer::FitSettings fit = plan.fit;
  fit.schema = nullptr;
  fit.policy.terms = budget::terms_of(plan.arguments.view());
  return reply_of(answer::write_fitted(fetch(plan.arguments.view(), fetch_source(plan, services),
                                             fit, answer::call_of(plan, duration)),
                                       plan));
}

ToolReply reply_with_failure(model::Response failed, const CallPlan& plan,
                             answer::Duration duration) {
  return reply_of(answer::answer_failure(std::move(failed), plan, duration));
}

ToolRun::ToolRun(const OfferedTool& tool, const AnswerServices& services, std::size_t& running,
                 mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel,
                 ClientTerms client, std::shared_ptr<serve::Cancellation> cancellation)
    : tool_(tool),
      services_(services),
      running_(running),
      call_(std::move(call)),
      channel_(channel),
      plan_(plan_call(call_, tool, channel->state().principal, std::move(client), services)),
      cancellation_(std::move(cancellation)),
      began_(services.host->clock()) {}

void ToolRun::start() {
  if (!waits_for_counters(plan_, services_)) {
    admit(plan_, tool_, services_);
    after_admission();
    return;
  }
  on_worker([self = shared_from_this()] { admit(self->plan_, self->tool_, self->services_); },
            [](ToolRun& self) { self.after_admission(); });
}

void ToolRun::after_admission() {
  if (answered_) return;  // withdrawn, or past its deadline, while `admit` waited for a worker
  if (plan_.refusal) {
    refuse(std::move(*plan_.refusal));
  } else if (auto cursor = continuation_cursor()) {
    deliver_from_worker([self = shared_from_this(), cursor = std::move(*cursor)] {
      return continue_reply(cursor, self->plan_, self->services_, self->elapsed());
    });
  } else {
    answer();
  }
}

std::optional<std::string> ToolRun::continuation_cursor() const {
  if (!plan_.contract) return std::nullopt;
  return own_cursor(plan_.arguments.view(), tool_, services_.key);
}

void ToolRun::refuse(model::Response failed) {
  deliver(reply_with_failure(std::move(failed), plan_, elapsed()));
}

void ToolRun::refuse_for_load() {
  refuse(contract::make_failure(
      failures::Unavailable{.message = "The server is busy", .retry_after = 1}));
}

void ToolRun::start_deadline(std::chrono::milliseconds deadline) {
  deadline_ = host().after(deadline, [weak = weak_from_this(), deadline] {
    if (const std::shared_ptr<ToolRun> self = weak.lock()) self->miss_deadline(deadline);
  });
}

void ToolRun::miss_deadline(std::chrono::milliseconds deadline) {
  if (answered_) return;
  // The alarm is calling this function, so it is destroyed by a later task.
  host().post([alarm = std::move(deadline_)] {});
  if (!answer_partially()) refuse_as_late(deadline);
}

void ToolRun::refuse_as_late(std::chrono::milliseconds deadline) {
  const std::int64_t seconds = deadline.count() / 1000;
  if (deadline.count() % 1000 == 0) {
    refuse(contract::make_failure(failures::Timeout{.what = tool_.spec.name, .seconds = seconds}));
    return;
  }
  refuse(contract::make_failure(failures::Timeout{
      .what = fmt::format("{} with a deadline of {} ms", tool_.spec.name, deadline.count())}));
}

void ToolRun::withdraw() {
  cancellation_->cancel();
  // Logs the call. The reply is dropped, because the call, or its task, is not open any more.
  deliver({mcp::empty_result(), CallOutcome::cancelled});
}

void ToolRun::deliver(ToolReply&& reply) {
  if (answered_) return;
  answered_ = true;
  deadline_.reset();
  const bool failed = reply.outcome == CallOutcome::failed;
  const CallOutcome outcome =
      cancellation_->is_cancelled() && !failed ? CallOutcome::cancelled : reply.outcome;
  services_.settings->log(
      {.level = failed ? serve::LogLine::Level::warning : serve::LogLine::Level::info,
       .event = "call",
       .request_id = plan_.request_id,
       .tool = tool_.spec.name,
       .outcome = std::string(name(outcome)),
       .code = reply.code,
       .duration = elapsed(),
       .fetched_handle = fetched_handle(tool_, plan_)});
  send(std::move(reply.reply));
}

void ToolRun::send(mcp::Reply&& reply) {
  if (const std::shared_ptr<serve::ClientChannel> open = channel()) {
    open->reply(call_.key, std::move(reply));
  }
}

}  // namespace enfold::tools
