// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/deferred.h"

#include "enfold/contract/errors/failures.h"
#include "enfold/tools/call/call_plan.h"

#include <fmt/core.h>

namespace enfold::server {
namespace {

// The outbox of a Reply's context, for any thread: posts each message to the serving thread, where
// the outbox of the run sends it if the run still exists.
class ReplyOutbox final : public Outbox {
 public:
  ReplyOutbox(std::shared_ptr<ServingThread> thread, std::weak_ptr<DeferredRun> run)
      : thread_(std::move(thread)), run_(std::move(run)) {}

  void progress(mcp::Progress progress) override {
    post_to_run([progress = std::move(progress)](Outbox& box) { box.progress(progress); });
  }
  void log(mcp::LogMessage message) override {
    post_to_run([message = std::move(message)](Outbox& box) { box.log(message); });
  }
  void close_stream() override {
    post_to_run([](Outbox& box) { box.close_stream(); });
  }
  void start_task() override {
    post_to_run([](Outbox& box) { box.start_task(); });
  }

 private:
  template <class Message>
  void post_to_run(Message message) {
    thread_->post([run = run_, message = std::move(message)] {
      if (const std::shared_ptr<DeferredRun> open = run.lock()) message(open->outbox());
    });
  }

  std::shared_ptr<ServingThread> thread_;
  std::weak_ptr<DeferredRun> run_;
};

}  // namespace

std::shared_ptr<ReplyState> ReplyState::create(std::shared_ptr<ServingThread> thread,
                                               std::weak_ptr<DeferredRun> run, CallFacts facts,
                                               std::shared_ptr<serve::Cancellation> cancellation,
                                               Copies copies, Slot slot) {
  std::shared_ptr<ReplyState> created(
      new ReplyState(thread, run, std::move(copies), std::move(slot)));
  facts.reply = created;
  facts.cursor_key = &created->copies_.key;
  facts.clock = [thread] { return thread->clock(); };
  facts.is_enabled = [thread, inner = std::move(facts.is_enabled)](std::string_view flag) {
    return thread->ask([&](const serve::Host&) { return inner(flag); });
  };
  facts.redact = {};
  if (created->copies_.redaction) {
    facts.redact = [&policy = *created->copies_.redaction](std::string_view text) {
      return redact::redact_text(text, policy);
    };
  }
  created->context_.emplace(std::move(facts), std::move(cancellation),
                            std::make_shared<ReplyOutbox>(std::move(thread), std::move(run)));
  return created;
}

ReplyState::~ReplyState() {
  if (state_ != State::open) return;
  thread_->post([run = std::move(run_)] {
    if (const std::shared_ptr<DeferredRun> open = run.lock()) open->fail_without_answer();
  });
}

bool ReplyState::finish(Finish finish) {
  const State before = state_.exchange(State::finished);
  if (before == State::finished) return false;
  const bool is_needed = before == State::open;
  // The answer gets a copy of the context: the author may still use the other one, without effect.
  const auto copy = is_needed ? std::make_shared<Context>(*context_) : nullptr;
  thread_->post([self = shared_from_this(), copy, finish = std::move(finish)]() mutable {
    self->slot_ = Slot();  // frees its place: the work is done, so another call may begin
    const std::shared_ptr<DeferredRun> run = copy ? self->run_.lock() : nullptr;
    // The copy refers to members of the state, which therefore lives as long.
    if (run) run->finish(self, copy, std::move(finish));
  });
  return is_needed;
}

bool ReplyState::close() {
  State open = State::open;
  return state_.compare_exchange_strong(open, State::closed) || open == State::closed;
}

// The context may outlive this run and the server. ReplyState::create replaces the facts that refer
// to them.
void DeferredRun::run(CallFacts facts, Slot slot) {
  const auto self = std::static_pointer_cast<DeferredRun>(shared_from_this());
  facts.is_enabled = [&settings = *services().settings, client = plan().client,
                      &host = host()](std::string_view flag) {
    return settings.flags.is_enabled(flag, client, tools::seconds_of(host));
  };
  const auto reply =
      ReplyState::create(dispatcher().serving_thread(), self, std::move(facts), cancellation(),
                         {plan().fit.shape.redaction, services().key}, std::move(slot));
  reply_ = reply;
  dispatcher().open_replies().insert(self);
  if (handled().on_worker) {
    on_worker([self, reply] { return self->run_handler(reply->context()); },
              [](ToolRun& run, HandlerResult result) {
                static_cast<DeferredRun&>(run).on_handler_returned(std::move(result));
              });
    return;
  }
  const answer::Duration began = elapsed();
  HandlerResult result = run_handler(reply->context());
  log_if_slow(elapsed() - began);
  on_handler_returned(std::move(result));
}

// Does not use the context, because the thread that has the Reply may be using it.
void DeferredRun::on_handler_returned(HandlerResult&& result) {
  if (auto* problems = std::get_if<std::vector<tools::Problem>>(&result)) {
    refuse(tools::bad_arguments(tool(), *problems, plan().arguments.view()));
  } else if (auto* failed = std::get_if<model::Response>(&result)) {
    // The handler threw. An answer that it gave before counts.
    if (!close_reply()) refuse(std::move(*failed));
  }
}

void DeferredRun::finish(const std::shared_ptr<ReplyState>& reply,
                         const std::shared_ptr<Context>& context, ReplyState::Finish finish) {
  if (is_answered()) return;
  is_on_its_way_ = true;
  deliver_from_worker(
      [self = shared_from_this(), this, reply, context, finish = std::move(finish)]() mutable {
        return reply_to(catching([&] { return finish(*context); }), *context);
      });
}

void DeferredRun::fail_without_answer() {
  if (is_answered() || is_on_its_way_) return;
  log(serve::LogLine::Level::error, "reply_dropped",
      "the handler's Reply was destroyed without an answer");
  refuse(contract::make_failure(contract::failures::Internal{
      .message = fmt::format("{} ended without an answer", tool().spec.name),
      .extra = {.request_id = plan().request_id}}));
}

bool DeferredRun::close_reply() {
  const std::shared_ptr<ReplyState> reply = reply_.lock();
  return is_on_its_way_ || (reply && !reply->close());
}

// A callback of the stop token may have finished the reply: then that answer is on its way. The
// reply may be destroyed before the kept answer is delivered.
bool DeferredRun::answer_with_kept() {
  if (close_reply()) return true;
  is_on_its_way_ = HandlerRun::answer_with_kept();
  return is_on_its_way_;
}

void DeferredRun::send(mcp::Reply&& reply) {
  if (const std::shared_ptr<ReplyState> open = reply_.lock()) open->close();
  HandlerRun::send(std::move(reply));
  dispatcher().open_replies().erase(std::static_pointer_cast<DeferredRun>(shared_from_this()));
}

void DeferredRun::abandon() {
  if (const std::shared_ptr<ReplyState> open = reply_.lock()) open->close();
  cancellation()->cancel();
  stop().request_stop();
}

}  // namespace enfold::server
