// SPDX-License-Identifier: Apache-2.0
// Runs on workers what puts the replies of upstreams into their contract, or redacts them. The
// calls have run, so none of these jobs is refused: they wait, and owners (ClientShare) whose jobs
// wait take turns. What they hold is limited by refusing calls before they run: each open call
// reserves what its answer will probably hold. Questions about archived answers have not run, and
// are refused.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/serve/service.h"
#include "enfold/tools/call/fair_lane.h"

#include <unordered_map>

namespace enfold::gateway {

/// With more than this in results that wait for a worker or are expected from open calls, no
/// further call runs. An owner (ClientShare) may use a quarter.
inline constexpr std::size_t kMaxWaitingBytes = std::size_t{512} << 20;

/// Longer values are shaped or redacted on a worker, because on the loop they would delay every
/// other call: redaction alone takes up to 70 ns for a byte.
inline constexpr std::size_t kMaxBytesOnLoop = std::size_t{32} << 10;

/// Used on the loop's thread only.
class AnswerLane {
 public:
  explicit AnswerLane(const Environment& environment);

  /// Runs `work` on a worker and then `then` with its result on the loop's thread, in the turn of
  /// this owner. `bytes`: what the job holds until then.
  template <class Work, class Then>
  void run(const std::string& owner, std::size_t bytes, Work work, Then then) {
    using Done = std::invoke_result_t<Work&>;
    const auto kept_work = std::make_shared<Work>(std::move(work));
    const auto kept_then = std::make_shared<Then>(std::move(then));
    enter(owner, bytes, [this, owner, bytes, kept_work, kept_then] {
      return serve::on_worker(
          environment_.host, [kept_work] { return (*kept_work)(); },
          [this, owner, bytes, kept_then](Done done) {
            leave(owner, bytes);
            (*kept_then)(std::move(done));
          });
    });
  }

  /// Room for the answer of one more call of this owner, until the result is destroyed: what
  /// the last answers of this tool held, or a little if they are not known. Null: the results that
  /// wait for a worker hold so much memory, or may soon do, that the call must not run.
  [[nodiscard]] std::shared_ptr<void> reserve(const std::string& owner, const std::string& tool);
  /// Remembers what an answer of a tool held, for later calls of reserve().
  void record(const std::string& tool, std::size_t bytes);
  /// Whether one more job that has not run may wait: a question of this owner.
  [[nodiscard]] bool may_ask(const std::string& owner) const {
    return lane_.waiting(owner) < kMaxWaitingQuestions;
  }

 private:
  static constexpr std::size_t kMaxWaitingQuestions = 100;

  /// What answers hold that wait or are expected.
  struct Held {
    std::size_t all = 0;
    std::unordered_map<std::string, std::size_t> of;  ///< by owner; none is 0

    void add(const std::string& owner, std::size_t bytes);
    void remove(const std::string& owner, std::size_t bytes);
  };
  using Start = std::function<bool()>;  ///< false: the queue of the workers is full
  void enter(const std::string& owner, std::size_t bytes, Start start);
  void start(Start start);
  void leave(const std::string& owner, std::size_t bytes);

  const Environment& environment_;
  tools::FairLane lane_;
  std::shared_ptr<Held> held_ = std::make_shared<Held>();
  std::unordered_map<std::string, std::size_t> expected_;  ///< bytes, by tool, if they are many
  std::vector<Start> delayed_;  ///< for which the queue of the workers had no room
  net::Timer retry_;
};

}  // namespace enfold::gateway
