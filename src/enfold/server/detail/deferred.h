// SPDX-License-Identifier: Apache-2.0
// The call behind a Reply. The author may hold it on any thread, for any time, so it refers to
// nothing of the server but through a ServingThread, which knows whether the server still exists.
#pragma once

#include "enfold/contract/cursors/cursor.h"
#include "enfold/redact/redact.h"
#include "enfold/server/detail/dispatch.h"

#include <atomic>
#include <memory>
#include <optional>

namespace enfold::server {

class DeferredRun;

class DeferredCall final : public detail::PendingReply,
                           public std::enable_shared_from_this<DeferredCall> {
 public:
  /// What the context of a call refers to in its run and in the server: copies.
  struct Copies {
    std::optional<redact::Policy> redaction;
    contract::CursorKey key;
  };
  /// The functions and pointers in `facts` are replaced by those that outlive the run.
  static std::shared_ptr<DeferredCall> create(std::shared_ptr<ServingThread> thread,
                                              std::weak_ptr<DeferredRun> run, CallFacts facts,
                                              std::shared_ptr<serve::Cancellation> cancellation,
                                              Copies copies, Slot slot);

  ~DeferredCall() override;
  DeferredCall(const DeferredCall&) = delete;
  DeferredCall& operator=(const DeferredCall&) = delete;

  [[nodiscard]] Context& context() override { return *context_; }
  bool finish(Finish finish) override;
  /// From now on the call needs no answer. False: finish() was called before.
  bool close();

 private:
  enum class State { open, finished, closed };
  DeferredCall(std::shared_ptr<ServingThread> thread, std::weak_ptr<DeferredRun> run, Copies copies,
               Slot slot)
      : thread_(std::move(thread)),
        run_(std::move(run)),
        copies_(std::move(copies)),
        slot_(std::move(slot)) {}

  std::shared_ptr<ServingThread> thread_;
  std::weak_ptr<DeferredRun> run_;  ///< locked on the serving thread only, which owns it
  Copies copies_;
  Slot slot_;
  std::optional<Context> context_;  ///< never nullopt
  std::atomic<State> state_ = State::open;
};

/// One call of a tool whose handler answers through a Reply. Until then the dispatcher owns it.
class DeferredRun final : public HandlerRun {
 public:
  using HandlerRun::HandlerRun;

  /// The answer of the Reply.
  void finish(const std::shared_ptr<DeferredCall>& reply, DeferredCall::Finish finish);
  /// The Reply was destroyed without an answer.
  void fail_without_answer();
  /// The server ends: tells the handler, sends nothing.
  void abandon();
  [[nodiscard]] Outbox& outbox() { return own_outbox(); }

 private:
  void run(CallFacts facts, Slot slot) override;
  void send(mcp::Reply&& reply) override;
  [[nodiscard]] bool answer_late() override;
  /// The handler has returned.
  void on_started(HandlerResult&& result);

  std::weak_ptr<DeferredCall> reply_;
  bool finishing_ = false;  ///< the answer is on its way
};

}  // namespace enfold::server
