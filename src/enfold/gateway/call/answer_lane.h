// SPDX-License-Identifier: Apache-2.0
// Runs jobs on workers: they put the results of upstreams into a contract, or redact them. The
// upstream has run these calls, so no such job is refused: jobs wait, and the owners (ClientShare)
// of waiting jobs take turns. Their memory is limited by refusing other calls before those are
// sent: each open call reserves the bytes that its answer will probably need. Questions about
// archived answers run here too; one is refused if too many jobs of its owner wait
// (may_read_archive).
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/policy/reserved_bytes.h"
#include "enfold/serve/service.h"
#include "enfold/tools/call/fair_lane.h"

#include <unordered_map>

namespace enfold::gateway {

/// When the results that wait for a worker and those expected from open calls need this many bytes,
/// no further call runs. One owner (ClientShare) may use a quarter.
inline constexpr std::size_t kMaxWaitingBytes = std::size_t{512} << 20;

/// Longer values are shaped or redacted on a worker, because on the loop they would delay every
/// other call: redaction alone takes up to 70 ns for a byte.
inline constexpr std::size_t kMaxBytesOnLoop = std::size_t{32} << 10;

/// Used on the loop's thread only.
class AnswerLane {
 public:
  explicit AnswerLane(const Environment& environment);

  /// Waits for the turn of `owner`, runs `work` on a worker, and calls `then` with its result on
  /// the loop's thread. `bytes`: memory that the job holds until `then` is called.
  template <class Work, class Then>
  void run(const std::string& owner, std::size_t bytes, Work work, Then then) {
    const auto kept_work = std::make_shared<Work>(std::move(work));
    const auto kept_then = std::make_shared<Then>(std::move(then));
    enter(owner, bytes, [this, owner, bytes, kept_work, kept_then] {
      return serve::on_worker(
          environment_.host, [kept_work] { return (*kept_work)(); },
          [this, owner, bytes, kept_then](auto&&... done) {
            leave(owner, bytes);
            (*kept_then)(std::forward<decltype(done)>(done)...);
          });
    });
  }

  /// Reserves room for the answer of one more call of this owner, until the returned object is
  /// destroyed: the size of the tool's recent answers, a small default if it is not known. Null:
  /// kMaxWaitingBytes or the owner's part of it is used up, so the call must not run.
  [[nodiscard]] std::shared_ptr<void> reserve(const std::string& owner, const std::string& tool) {
    if (!reserved_->has_room(owner, kMaxWaitingBytes)) return nullptr;
    const auto known = expected_bytes_.find(tool);
    const std::size_t bytes = known != expected_bytes_.end() ? known->second : kSmallAnswer;
    return ReservedBytes::reserve(reserved_, owner, bytes);
  }
  /// Whether record() for an answer of this size may change what reserve() expects of a tool: false
  /// while all answers are small, so that its key need not be built.
  [[nodiscard]] bool may_change_estimates(std::size_t bytes) const {
    return bytes > kSmallAnswer || !expected_bytes_.empty();
  }
  /// Remembers the size of an answer of the tool, for later calls of reserve().
  void record(const std::string& tool, std::size_t bytes);
  /// Whether a job of this owner that only reads an archived answer may wait for its turn: few
  /// enough of its jobs wait.
  [[nodiscard]] bool may_read_archive(const std::string& owner) const {
    return lane_.waiting(owner) < kMaxWaitingQuestions;
  }

 private:
  static constexpr std::size_t kMaxWaitingQuestions = 100;
  /// Bytes reserved for an answer of a tool whose answers are not known to be longer.
  static constexpr std::size_t kSmallAnswer = std::size_t{64} << 10;

  /// Gives a job to the workers; returns false if their queue is full.
  using Start = std::function<bool()>;
  void enter(const std::string& owner, std::size_t bytes, Start start);
  void start(Start start);
  void leave(const std::string& owner, std::size_t bytes);

  const Environment& environment_;
  tools::FairLane lane_;
  /// Of the results that wait for a worker and of those expected from open calls.
  std::shared_ptr<ReservedBytes> reserved_ = std::make_shared<ReservedBytes>();
  std::unordered_map<std::string, std::size_t> expected_bytes_;  ///< by tool, if above kSmallAnswer
  std::vector<Start> delayed_;  ///< found the queue of the workers full; `retry_` starts them
  net::Timer retry_;
};

}  // namespace enfold::gateway
