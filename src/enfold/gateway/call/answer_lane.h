// SPDX-License-Identifier: Apache-2.0
// Runs on workers what puts the answers of upstreams into their contract. The calls have run, so
// none of these jobs is refused: they wait, and owners (ClientShare) whose jobs wait take turns.
// What they hold is limited by refusing calls before they run.
#pragma once

#include "enfold/gateway/config/settings.h"
#include "enfold/serve/service.h"
#include "enfold/tools/call/fair_lane.h"

#include <unordered_map>

namespace enfold::gateway {

/// With more than this in results that wait for a worker, no further call runs. An owner may use a
/// quarter.
inline constexpr std::size_t kMaxWaitingBytes = std::size_t{512} << 20;

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

  /// Whether an answer of one more call of this owner has room. False while the results that
  /// wait for a worker hold much memory.
  [[nodiscard]] bool has_room(const std::string& owner) const {
    const auto own = bytes_.find(owner);
    return all_bytes_ < kMaxWaitingBytes &&
           (own == bytes_.end() || own->second < kMaxWaitingBytes / 4);
  }

 private:
  using Start = std::function<bool()>;  ///< false: the queue of the workers is full
  void enter(const std::string& owner, std::size_t bytes, Start start);
  void start(Start start);
  void leave(const std::string& owner, std::size_t bytes);

  const Environment& environment_;
  tools::FairLane lane_;
  std::unordered_map<std::string, std::size_t> bytes_;  ///< by owner; none is 0
  std::size_t all_bytes_ = 0;
  std::vector<Start> delayed_;  ///< for which the queue of the workers had no room
  net::Timer retry_;
};

}  // namespace enfold::gateway
