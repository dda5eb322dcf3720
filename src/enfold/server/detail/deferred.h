// SPDX-License-Identifier: Apache-2.0
// A call that is answered through a Reply: the run on the serving thread, and the state that the
// Reply refers to. The author may hold a Reply on any thread, for any time, so the state reaches
// the server only through a ServingThread, which knows whether the server still exists.
#pragma once

#include "enfold/contract/cursors/cursor.h"
#include "enfold/redact/redact.h"
#include "enfold/server/detail/dispatch.h"

#include <atomic>
#include <memory>
#include <optional>

namespace enfold::server {

class DeferredRun;

/// What the copies of one Reply refer to.
class ReplyState final : public detail::PendingReply,
                         public std::enable_shared_from_this<ReplyState> {
 public:
  /// Copies of what the context would refer to in the run or the server, which it may outlive.
  struct Copies {
    std::optional<redact::Policy> redaction;
    contract::CursorKey key;
  };
  /// Replaces the functions and pointers in `facts` by those that outlive the run. `slot`: the
  /// place of the call in the lane of its tool, which finish() frees.
  static std::shared_ptr<ReplyState> create(std::shared_ptr<ServingThread> thread,
                                            std::weak_ptr<DeferredRun> run, CallFacts facts,
                                            std::shared_ptr<serve::Cancellation> cancellation,
                                            Copies copies, Slot slot);

  ~ReplyState() override;
  ReplyState(const ReplyState&) = delete;
  ReplyState& operator=(const ReplyState&) = delete;

  [[nodiscard]] Context& context() override { return *context_; }
  bool finish(Finish finish) override;
  /// From now on the call needs no answer, and finish() drops what it gets. False: finish() was
  /// called before.
  bool close();

 private:
  enum class State {
    open,      ///< needs an answer
    finished,  ///< finish() was called
    closed,    ///< close() was called: the call needs no answer any more
  };
  ReplyState(std::shared_ptr<ServingThread> thread, std::weak_ptr<DeferredRun> run, Copies copies,
             Slot slot)
      : thread_(std::move(thread)),
        run_(std::move(run)),
        copies_(std::move(copies)),
        slot_(std::move(slot)) {}

  std::shared_ptr<ServingThread> thread_;
  std::weak_ptr<DeferredRun> run_;  ///< is locked only on the serving thread, which owns the run
  Copies copies_;
  Slot slot_;
  std::optional<Context> context_;  ///< set by create(), never nullopt then
  std::atomic<State> state_ = State::open;
};

/// One call of a tool whose handler answers through a Reply, on the serving thread. The dispatcher
/// owns it (open_replies) until it is answered.
class DeferredRun final : public HandlerRun {
 public:
  using HandlerRun::HandlerRun;

  /// Called when the Reply was finished: a worker renders the answer, which is then delivered.
  /// `context`: that of the reply, as it was then.
  void finish(const std::shared_ptr<ReplyState>& reply, const std::shared_ptr<Context>& context,
              ReplyState::Finish finish);
  /// Called when the last copy of the Reply was destroyed without an answer: the call fails.
  void fail_without_answer();
  /// Called when the server ends: asks the handler to stop, sends nothing.
  void abandon();
  [[nodiscard]] Outbox& outbox() { return own_outbox(); }

 private:
  void run(CallFacts facts, Slot slot) override;
  void send(mcp::Reply&& reply) override;
  [[nodiscard]] bool answer_with_kept() override;
  /// Whether finish() was called. From now on it has no effect.
  [[nodiscard]] bool close_reply();
  /// Called when the handler has returned: refuses the call if the handler threw or could not read
  /// its arguments. The answer comes through the Reply.
  void on_handler_returned(HandlerResult&& result);

  std::weak_ptr<ReplyState> reply_;  ///< empty: all copies of the Reply are destroyed
  bool is_on_its_way_ = false;       ///< the answer, which a worker still prepares
};

}  // namespace enfold::server
