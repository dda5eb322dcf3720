// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/errors/error_codes.h"
#include "enfold/contract/errors/failures.h"
#include "enfold/server/detail/dispatch.h"
#include "enfold/server/detail/questions.h"
#include "enfold/tools/call/call_plan.h"

#include <exception>
#include <fmt/core.h>

namespace enfold::server {
namespace {

namespace failures = contract::failures;
using answer::CallOutcome;
using tools::ToolReply;

// A handler that takes longer than this on the serving thread is logged, because all other calls
// wait for it.
constexpr std::chrono::microseconds kSlowHandler = std::chrono::milliseconds(100);

model::Response handler_failure(const std::string& request_id) {
  return contract::make_failure(
      failures::Internal{.message = "The tool failed", .extra = {.request_id = request_id}});
}

// The failure of a call for which its lane has no room. `most_waiting`: calls that may wait there.
model::Response queue_failure(const std::string& name, std::size_t most_waiting) {
  model::Response failed = contract::make_failure(failures::Other{
      .message = fmt::format("{} is busy: {} calls of it wait already", name, most_waiting),
      .code = "RATE_LIMIT_EXCEEDED",
      .extra = {.remediation = {"Wait for the answers of earlier calls, then call again."}}});
  failed.failure->retry_after = model::Number::of(1);
  return failed;
}

// If the contract has no member for the message of Context::say, moves the message: to a warning in
// response-v2, to a text block in the other contracts and without a contract.
void place_message(answer::ToolContext& additions, const answer::AnswerPlan& plan) {
  if (additions.message.empty()) return;
  if (plan.contract == contract::Id::memory || plan.contract == contract::Id::generic) return;
  if (plan.contract == contract::Id::response_v2) {
    additions.warnings.push_back({.code = "MESSAGE",
                                  .severity = model::Severity::info,
                                  .message = std::move(additions.message),
                                  .context = std::nullopt});
  } else {
    additions.blocks.push_back(mcp::text_block(additions.message));
  }
  additions.message.clear();
}

PageOwner page_owner(const tools::OfferedTool& tool, const tools::CallPlan& plan,
                     const tools::AnswerServices& services) {
  return {tool.spec.name, plan.principal, services.key};
}

}  // namespace

template <class Task>
void CallOutbox::run(Task task) {
  if (on_worker_) {
    dispatcher_.host().post(std::move(task));
  } else {
    task();
  }
}

template <class Message>
void CallOutbox::tell(Message message) {
  run([channel = channel_, message = std::move(message)] {
    if (const std::shared_ptr<serve::ClientChannel> open = channel.lock()) message(*open);
  });
}

void CallOutbox::progress(mcp::Progress progress) {
  tell([call = call_, progress = std::move(progress)](serve::ClientChannel& channel) {
    channel.progress(call, progress);
  });
}

void CallOutbox::log(mcp::LogMessage message) {
  tell([call = call_, message = std::move(message)](serve::ClientChannel& channel) {
    channel.log(call, message);
  });
}

void CallOutbox::close_stream() {
  tell([call = call_](serve::ClientChannel& channel) { channel.close_stream(call); });
}

void ToolOutbox::progress(mcp::Progress progress) {
  run([self = handler_.shared_from_this(), &handler = handler_, progress = std::move(progress)] {
    handler.report(progress);
  });
}

void ToolOutbox::start_task() {
  run([self = handler_.shared_from_this(), &handler = handler_] { handler.start_task(); });
}

// A run with a `task` repeats its call with the client's answers. The client got the reply to the
// call, the id of the task, in the first run. So the outbox has no channel to a client.
HandlerRun::HandlerRun(Dispatcher& dispatcher, std::shared_ptr<const HandledTool> tool,
                       const tools::AnswerServices& services, std::size_t& running,
                       mcp::Call&& call, const std::shared_ptr<serve::ClientChannel>& channel,
                       std::shared_ptr<ServerTask> task)
    : ToolRun(tool->offered, services, running, std::move(call), channel,
              tools::terms_of_client(call, channel->state(), services),
              std::make_shared<serve::Cancellation>()),
      dispatcher_(dispatcher),
      kept_tool_(std::move(tool)),
      handled_(*kept_tool_),
      lane_(handled_.lane.lock()),
      outbox_(*this, dispatcher, this->call().key,
              task ? std::weak_ptr<serve::ClientChannel>() : std::weak_ptr(channel),
              handled_.on_worker),
      task_(std::move(task)) {
  if (deadline()) stop_ = std::stop_source();
}

std::optional<std::chrono::milliseconds> HandlerRun::deadline() const {
  if (!may_be_task()) return tool().spec.deadline;
  return std::min(handled_.task->deadline, handled_.task->ttl);
}

void HandlerRun::start_task() {
  if (task_ || is_answered() || !may_be_task()) return;
  std::shared_ptr<ServerTask> task =
      dispatcher_.tasks().create(plan().principal, call(), *handled_.task);
  if (!task) {
    cancellation()->cancel();
    refuse(dispatcher_.tasks().refusal(plan().principal));
    return;
  }
  task->set_run(weak_from_this());
  ToolRun::send(mcp::task_handle(task->facts()));
  task_ = std::move(task);
}

void HandlerRun::send(mcp::Reply&& reply) {
  if (cancellation()->is_cancelled()) stop_.request_stop();
  dispatcher_.apply_changes();
  if (task_) {
    task_->settle(std::move(reply));
  } else {
    ToolRun::send(std::move(reply));
  }
}

void HandlerRun::report(const mcp::Progress& progress) {
  if (task_) {
    task_->set_message(progress.message.value_or(
        progress.total ? fmt::format("{:g} of {:g}", progress.progress, *progress.total)
                       : fmt::format("{:g}", progress.progress)));
  } else if (const std::shared_ptr<serve::ClientChannel> open = channel()) {
    open->progress(call().key, progress);
  }
}

void HandlerRun::answer() {
  answers_.principal = plan().principal;
  if (const Status read = read_answers(call(), services(), answers_); !read) {
    mcp::RpcError refusal = mcp::invalid_params(
        fmt::format("Invalid params: {}: {}", read.error().where, read.error().message));
    deliver({std::move(refusal), CallOutcome::refused, "INVALID_PARAMS"});
    return;
  }
  if (handled_.paged) {
    const Status budget =
        check_page_budget(plan(), request(), page_owner(tool(), plan(), services()));
    if (!budget) return refuse(answer::failure_of(budget.error()));
  }
  if (!deadline()) {
    answer_on_serving_thread();
    return;
  }
  if (handled_.task && handled_.task->start_at_once) start_task();
  if (is_answered()) return;  // refused: there are too many tasks
  kept_ = std::make_shared<LastKept>();
  wait_for_lane();
}

// The deadline counts from the moment in which the call gets its place. A call that waits for a
// place as long as the deadline is refused, so that calls do not wait for ever for a handler that
// never returns.
void HandlerRun::wait_for_lane() {
  start_deadline(*deadline());
  const std::shared_ptr<tools::FairLane> lane = std::move(lane_);
  const bool entered = lane->enter(plan().principal, [self = shared_from_this(), this] {
    Slot slot(dispatcher_.serving_thread(), handled_.lane, plan().principal);
    if (is_answered()) return;  // cancelled, or too late, while it waited in the lane
    has_place_ = true;
    start_deadline(*deadline());
    run(make_facts(), std::move(slot));
  });
  if (!entered) refuse(queue_failure(tool().spec.name, services().settings->max_waiting));
}

void HandlerRun::run(CallFacts facts, Slot slot) {
  on_worker(
      [self = shared_from_this(), this,
       context = std::make_shared<Context>(make_context(std::move(facts))),
       slot = std::move(slot)]() -> std::optional<ToolReply> {
        // A call that was cancelled while it waited need not begin. Its reply is dropped, because
        // ToolRun::withdraw() has delivered one already.
        if (cancellation()->is_cancelled()) {
          return ToolReply{mcp::empty_result(), CallOutcome::cancelled};
        }
        if (kept_->deadline_passed()) return std::nullopt;
        HandlerResult result = run_handler(*context);
        if (!kept_->claim_for_handler()) return std::nullopt;
        return reply_to(std::move(result), *context);
      },
      [this](ToolRun& /*self*/, std::optional<ToolReply> reply) {
        if (reply) deliver(std::move(*reply));
      });
}

bool HandlerRun::answer_partially() {
  if (!has_place_) {
    refuse(contract::make_failure(failures::Unavailable{
        .message = fmt::format("{} is busy: the call has waited {} ms for its turn",
                               tool().spec.name, deadline()->count()),
        .retry_after = 1}));
    return true;
  }
  if (!kept_->claim_for_deadline()) return true;  // the answer of the handler is on its way
  stop_.request_stop();
  return answer_with_kept();
}

bool HandlerRun::answer_with_kept() {
  std::optional<LastKept::Kept> kept = kept_->take();
  if (!kept) return false;
  kept->additions.partial = true;
  kept->additions.warnings.push_back(contract::make_warning(
      "PARTIAL_FAILURE", "The tool ran out of time; this is what it had done until then"));
  place_message(kept->additions, plan());
  model::Response response;
  response.payload = std::move(kept->payload);
  deliver_when_stored(answer::process_tool_response(plan(), request(), std::move(response),
                                                    std::move(kept->additions)));
  return true;
}

void HandlerRun::deliver_when_stored(answer::BeginResult&& begun) {
  if (auto* shaped = std::get_if<answer::ShapedAnswer>(&begun)) {
    deliver(tools::reply_of(std::move(*shaped)));
    return;
  }
  deliver_from_worker(
      [self = shared_from_this(), this,
       prepared = std::move(*std::get_if<answer::PreparedAnswer>(&begun))]() mutable {
        return tools::store_and_finish(std::move(prepared), plan(), services());
      });
}

CallFacts HandlerRun::make_facts() {
  CallFacts facts = std::move(answers_);
  facts.tool = tool().spec.name;
  facts.request_id = plan().request_id;
  facts.client = plan().client;
  facts.caller = call().caller;
  facts.tier = services().settings->tier;
  facts.level = plan().level.level;
  facts.cursor_key = &services().key;
  facts.redact = answer::redaction_of(plan());
  if (call().caller) facts.client_version = call().caller->client_version();
  facts.traceparent = call().traceparent;
  facts.tracestate = call().tracestate;
  facts.headers = call().headers;
  facts.offers = dispatcher_.offers();
  // The functions below use this run, which the context's pointer to the outbox keeps alive.
  facts.clock = [this] { return host().clock(); };
  if (deadline()) facts.deadline = host().clock() + *deadline();
  facts.kept = kept_;
  facts.stop = stop_.get_token();
  facts.is_enabled = [this](std::string_view flag) {
    return services().settings->flags.is_enabled(flag, plan().client, tools::seconds_of(host()));
  };
  return facts;
}

Context HandlerRun::make_context(CallFacts facts) {
  return {std::move(facts), cancellation(), std::shared_ptr<Outbox>(shared_from_this(), &outbox_)};
}

void HandlerRun::log(serve::LogLine::Level level, std::string_view event,
                     std::string_view note) const {
  services().settings->log({.level = level,
                            .event = std::string(event),
                            .request_id = plan().request_id,
                            .tool = tool().spec.name,
                            .duration = elapsed(),
                            .note = tools::text_for_log(note, *services().settings)});
}

// The only place that runs the code of tools. Exceptions end here; their messages are logged for
// the operator and not sent to the client.
HandlerResult HandlerRun::catching(net::Callback<HandlerResult()> run) const {
  const auto error = serve::LogLine::Level::error;
  // One variable is returned, so that the result is not moved: it may hold a whole response.
  const auto run_and_log = [&] {
    HandlerResult result = run();
    if (const auto* internal = std::get_if<InternalError>(&result)) {
      log(error, "handler_failed", internal->message);
      result = handler_failure(plan().request_id);
    }
    return result;
  };
  try {
    return run_and_log();
  } catch (const std::exception& thrown) {
    log(error, "handler_threw", thrown.what());
  } catch (...) {
    log(error, "handler_threw", "something that is no std::exception");
  }
  return handler_failure(plan().request_id);
}

HandlerResult HandlerRun::run_handler(Context& context) const {
  return catching([&] { return handled_.handler->call(plan().arguments.view(), context); });
}

HandlerRun::Shaped HandlerRun::shape(HandlerResult&& result, Context& context,
                                     const answer::ToolRequest& request) const {
  if (auto* needs = std::get_if<NeedsInput>(&result)) {
    // The state of a task does not leave the server, and is needed as long as the task.
    const auto life = may_be_task()
                          ? std::max(tools::kStateLife,
                                     std::chrono::ceil<std::chrono::seconds>(handled_.task->ttl))
                          : tools::kStateLife;
    return ToolReply{ask(std::move(*needs), call(), context.facts(), services(), life),
                     CallOutcome::input_required};
  }
  if (auto* problems = std::get_if<std::vector<tools::Problem>>(&result)) {
    return tools::reply_with_failure(
        tools::bad_arguments(tool(), std::move(*problems), plan().arguments.view()), plan(),
        request.duration);
  }
  answer::BeginResult begun =
      begin_answer(std::move(*std::get_if<model::Response>(&result)), context, request);
  if (auto* prepared = std::get_if<answer::PreparedAnswer>(&begun)) return std::move(*prepared);
  return tools::reply_of(std::move(*std::get_if<answer::ShapedAnswer>(&begun)));
}

answer::BeginResult HandlerRun::begin_answer(model::Response&& response, Context& context,
                                             const answer::ToolRequest& request) const {
  place_message(context.additions(), plan());
  const std::optional<PageDraft> draft = PageAccess::take(context);
  if (draft && response.payload && !response.failure) {
    return begin_page(*response.payload, *draft, context.additions(), plan(), request,
                      page_owner(tool(), plan(), services()));
  }
  return answer::process_tool_response(plan(), request, std::move(response),
                                       std::move(context.additions()));
}

void HandlerRun::log_if_slow(answer::Duration time) const {
  if (time <= kSlowHandler) return;
  log(serve::LogLine::Level::warning, "handler_slow",
      "every other call waited for this handler: mark the tool slow()");
}

void HandlerRun::answer_on_serving_thread() {
  Context context = make_context(make_facts());
  HandlerResult result = run_handler(context);
  const answer::ToolRequest tool_request = request();
  log_if_slow(tool_request.duration);
  Shaped shaped = shape(std::move(result), context, tool_request);
  if (auto* reply = std::get_if<ToolReply>(&shaped)) {
    deliver(std::move(*reply));
  } else {
    deliver_when_stored(std::move(*std::get_if<answer::PreparedAnswer>(&shaped)));
  }
}

// Called on a worker: uses only the plan, and functions of the host that any thread may call.
ToolReply HandlerRun::reply_to(HandlerResult&& result, Context& context) const {
  Shaped shaped = shape(std::move(result), context, request());
  if (auto* prepared = std::get_if<answer::PreparedAnswer>(&shaped)) {
    return tools::store_and_finish(std::move(*prepared), plan(), services());
  }
  return std::move(*std::get_if<ToolReply>(&shaped));
}

}  // namespace enfold::server
