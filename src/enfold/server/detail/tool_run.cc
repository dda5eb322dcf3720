// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/tool_run.h"

#include "enfold/contract/errors/failures.h"
#include "enfold/serve/on_worker.h"
#include "enfold/tools/server_tool.h"

#include <exception>
#include <fmt/core.h>

namespace enfold::server {
namespace {

namespace failures = contract::failures;

// Longer than this on the serving thread makes everybody else wait.
constexpr std::chrono::microseconds kLongForQuick = std::chrono::milliseconds(100);

model::Response too_busy() {
  return contract::make_failure(
      failures::Unavailable{.message = "The server is busy", .retry_after = 1});
}

model::Response handler_broke(const std::string& request_id) {
  return contract::make_failure(
      failures::Internal{.message = "The tool failed", .extra = {.request_id = request_id}});
}

}  // namespace

template <class Todo>
void CallOutbox::run(Todo todo) {
  if (on_worker_) {
    dispatcher_.host().post(std::move(todo));
  } else {
    todo();
  }
}

template <class What>
void CallOutbox::tell(What what) {
  run([port = port_, what = std::move(what)] {
    if (const std::shared_ptr<serve::Port> open = port.lock()) what(*open);
  });
}

void CallOutbox::progress(mcp::Progress progress) {
  tell([call = call_, progress = std::move(progress)](serve::Port& port) {
    port.progress(call, progress);
  });
}

void CallOutbox::log(mcp::LogMessage message) {
  tell(
      [call = call_, message = std::move(message)](serve::Port& port) { port.log(call, message); });
}

void CallOutbox::close_stream() {
  tell([call = call_](serve::Port& port) { port.close_stream(call); });
}

void CallOutbox::list_changed(mcp::ListKind kind) {
  run([&dispatcher = dispatcher_, kind] { dispatcher.list_changed(kind); });
}

void CallOutbox::resource_updated(std::string uri) {
  run([&dispatcher = dispatcher_, uri = std::move(uri)] { dispatcher.resource_updated(uri); });
}

ToolRun::ToolRun(Dispatcher& dispatcher, const OfferedTool& tool, mcp::Call&& call,
                 const std::shared_ptr<serve::Port>& port,
                 std::shared_ptr<serve::Cancellation> cancellation)
    : dispatcher_(dispatcher),
      tool_(tool),
      call_(std::move(call)),
      plan_(plan_call(call_, tool, port->memory(), dispatcher.shared())),
      outbox_(dispatcher, call_.key, port, tool.spec.deadline.has_value()),
      cancellation_(std::move(cancellation)),
      began_(dispatcher.host().clock()) {
  if (!call_.inputs.state) return;
  Result<json::Value> state =
      open_state(*call_.inputs.state, tool.spec.name, plan_.principal, dispatcher.shared());
  if (state) {
    state_ = std::move(*state);
  } else {
    bad_state_ = mcp::invalid_params(
        fmt::format("Invalid params: {}: {}", state.error().where, state.error().message));
  }
}

AnswerFacts ToolRun::facts() const {
  return {tool_.spec.name, call_.caller ? call_.caller->era : mcp::Era::sessions,
          dispatcher_.host().clock() - began_};
}

void ToolRun::start() {
  const Shared& shared = dispatcher_.shared();
  if (!waits_for_counters(plan_, shared)) {
    admit(plan_, tool_, shared);
    run();
    return;
  }
  on_worker([self = shared_from_this(), &shared] { admit(self->plan_, self->tool_, shared); },
            [](ToolRun& self) { self.run(); });
}

void ToolRun::run() {
  if (cancellation_->is_cancelled()) {  // while it waited; nobody hears the reply
    deliver({mcp::nothing(), "cancelled", {}});
  } else if (bad_state_) {
    deliver({std::move(*bad_state_), "refused", "INVALID_PARAMS"});
  } else if (plan_.refusal) {
    deliver(
        conclude_failure(std::move(*plan_.refusal), tool_, plan_, facts(), dispatcher_.shared()));
  } else if (tool_.spec.deadline) {
    start_on_worker();
  } else {
    start_here();
  }
}

Context ToolRun::make_context() {
  const Settings& settings = dispatcher_.shared().server->settings();
  CallFacts facts;
  facts.tool = tool_.spec.name;
  facts.request_id = plan_.request_id;
  facts.principal = plan_.principal;
  facts.client = plan_.client;
  facts.caller = call_.caller;
  facts.inputs = call_.inputs;
  facts.state = state_;
  facts.tier = settings.tier;
  facts.level = plan_.level.level;
  facts.cursor_key = &dispatcher_.shared().key;
  // Both live as long as the run, which whoever holds the outbox keeps.
  facts.is_enabled = [this](std::string_view flag) { return is_enabled(flag); };
  return {std::move(facts), cancellation_, std::shared_ptr<Outbox>(shared_from_this(), &outbox_)};
}

bool ToolRun::is_enabled(std::string_view flag) const {
  const Settings& settings = dispatcher_.shared().server->settings();
  return settings.flags.is_enabled(flag, plan_.client, seconds_of(dispatcher_.host()));
}

// The one place where an author's code runs. Whatever it throws ends here; what it said is for the
// operator, not for the caller.
Given ToolRun::run_handler(Context& context) const {
  const auto log = [&](std::string_view event, std::string note) {
    dispatcher_.shared().server->settings().log({.level = serve::LogLine::Level::error,
                                                 .event = std::string(event),
                                                 .request_id = plan_.request_id,
                                                 .tool = tool_.spec.name,
                                                 .note = std::move(note)});
  };
  const auto broke = [&](std::string note) {
    log("handler_threw", std::move(note));
    return Given{.response = handler_broke(plan_.request_id)};
  };
  // One name for what is returned, so that it is made where the caller wants it.
  const auto run = [&] {
    Given given = tool_.spec.run(plan_.arguments.view(), context);
    if (!given.kept_back.empty()) {
      log("handler_failed", std::move(given.kept_back));
      given = Given{.response = handler_broke(plan_.request_id)};
    }
    return given;
  };
  try {
    return run();
  } catch (const std::exception& thrown) {
    return broke(thrown.what());
  } catch (...) {
    return broke("something that is no std::exception");
  }
}

Given ToolRun::run_server_tool() {
  const Shared& shared = dispatcher_.shared();
  tools::ServerFacts facts;
  facts.name = shared.server->name();
  facts.version = shared.server->version();
  facts.features.streaming = true;
  facts.flags = &shared.server->settings().flags;
  facts.client = plan_.client;
  facts.now = seconds_of(*shared.host);
  facts.contract = plan_.contract ? contract::name(*plan_.contract) : "none";
  if (dispatcher_.more_tools_) facts.tools = dispatcher_.more_tools_(plan_.contract);
  for (const OfferedTool& tool : shared.catalog->tools()) {
    facts.tools.push_back({tool.spec.name, tool.spec.description, tool.spec.input_schema,
                           tool.output_schema(plan_.contract)});
  }
  tools::ServerAnswer answer = tools::answer_server_tool(plan_.arguments.view(), facts);
  // A stateless client says what it wants with each call; there is nothing to remember it in.
  const std::shared_ptr<serve::Port> port = outbox_.port();
  const bool remembers = call_.caller && call_.caller->era == mcp::Era::sessions;
  if (answer.contract && port && remembers && port->memory().contract != answer.contract) {
    port->memory().contract = answer.contract;
    port->list_changed(mcp::ListKind::tools);  // their output schemas have changed
  }
  return {.response = std::move(answer.response)};
}

void ToolRun::start_here() {
  Context context = make_context();
  Given given = tool_.kind == OfferedTool::Kind::server ? run_server_tool() : run_handler(context);
  const AnswerFacts known = facts();
  if (known.duration > kLongForQuick) {
    dispatcher_.shared().server->settings().log(
        {.level = serve::LogLine::Level::warning,
         .event = "handler_slow",
         .request_id = plan_.request_id,
         .tool = tool_.spec.name,
         .duration = known.duration,
         .note = "everybody waited for this handler: mark the tool slow()"});
  }
  Begun begun = begin_answer(std::move(given), context.take_additions(), tool_, plan_, known,
                             dispatcher_.shared());
  if (auto* concluded = std::get_if<Concluded>(&begun)) {
    deliver(std::move(*concluded));
  } else {
    finish_on_worker(std::move(*std::get_if<answer::Prepared>(&begun)));
  }
}

template <class Work, class Then>
bool ToolRun::on_worker(Work work, Then then) {
  ++dispatcher_.running_;
  const bool taken =
      serve::on_worker(dispatcher_.host(), std::move(work),
                       [self = shared_from_this(),
                        then = std::move(then)]<class... Result>(Result... result) mutable {
                         --self->dispatcher_.running_;
                         then(*self, std::move(result)...);
                       });
  if (taken) return true;
  --dispatcher_.running_;
  deliver(conclude_failure(too_busy(), tool_, plan_, facts(), dispatcher_.shared()));
  return false;
}

// Storing may wait for a disk; nobody else should.
void ToolRun::finish_on_worker(answer::Prepared prepared) {
  on_worker_ = true;
  on_worker(
      [self = shared_from_this(), prepared = std::move(prepared)]() mutable {
        return finish_answer(std::move(prepared), self->tool_, self->plan_,
                             self->dispatcher_.shared());
      },
      [](ToolRun& self, Concluded concluded) { self.deliver(std::move(concluded)); });
}

void ToolRun::start_on_worker() {
  on_worker_ = true;
  auto context = std::make_shared<Context>(make_context());
  const bool taken = on_worker(
      [self = shared_from_this(), context = std::move(context)] { return self->work(*context); },
      [](ToolRun& self, Concluded concluded) { self.deliver(std::move(concluded)); });
  if (!taken) return;
  deadline_ = dispatcher_.host().after(*tool_.spec.deadline, [weak = weak_from_this()] {
    if (const std::shared_ptr<ToolRun> self = weak.lock()) self->miss_deadline();
  });
}

// Runs beside the loop: nothing but the plan and what the host takes from any thread.
Concluded ToolRun::work(Context& context) {
  const Shared& shared = dispatcher_.shared();
  if (tool_.kind == OfferedTool::Kind::fetch) {
    return conclude_fetch(tool_, plan_, facts(), shared);
  }
  // A call that was withdrawn while it waited need not begin; nobody hears the reply.
  if (cancellation_->is_cancelled()) return {mcp::nothing(), "cancelled", {}};
  Given given = run_handler(context);
  Begun begun =
      begin_answer(std::move(given), context.take_additions(), tool_, plan_, facts(), shared);
  if (auto* prepared = std::get_if<answer::Prepared>(&begun)) {
    begun = finish_answer(std::move(*prepared), tool_, plan_, shared);
  }
  return std::move(*std::get_if<Concluded>(&begun));
}

void ToolRun::miss_deadline() {
  if (answered_) return;
  cancellation_->cancel();
  // The alarm that calls this goes when nobody is inside it any more.
  dispatcher_.host().post([alarm = std::move(deadline_)] {});
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(*tool_.spec.deadline).count();
  deliver(conclude_failure(
      contract::make_failure(failures::Timeout{.what = tool_.spec.name, .seconds = seconds}), tool_,
      plan_, facts(), dispatcher_.shared()));
}

void ToolRun::deliver(Concluded&& concluded) {
  if (answered_) return;
  answered_ = true;
  deadline_.reset();
  const bool failed = concluded.outcome == "failed";
  // A handler that is late may still look at the plan.
  std::string request_id = on_worker_ ? plan_.request_id : std::move(plan_.request_id);
  dispatcher_.count(
      {.level = failed ? serve::LogLine::Level::warning : serve::LogLine::Level::info,
       .event = "call",
       .request_id = std::move(request_id),
       .tool = tool_.spec.name,
       .outcome = cancellation_->is_cancelled() && !failed ? "cancelled" : concluded.outcome,
       .code = concluded.code,
       .duration = dispatcher_.host().clock() - began_});
  if (const std::shared_ptr<serve::Port> port = outbox_.port()) {
    port->reply(call_.key, std::move(concluded.reply));
  }
}

}  // namespace enfold::server
