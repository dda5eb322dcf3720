// SPDX-License-Identifier: Apache-2.0
// Threads that write at the same time share one transaction and its one fsync: the first thread
// that finds no other writing writes for all that wait.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace enfold::store::detail {

template <class Item>
class GroupCommit {
 public:
  /// Returns when a `write(batch)`, by this thread or another, has included `mine`. False: that
  /// call threw and the item is not written; the thread that made the call gets the exception.
  template <class Write>
  [[nodiscard]] bool run(Item& mine, const Write& write) {
    Waiting waiting{&mine};
    std::unique_lock lock(mutex_);
    queue_.push_back(&waiting);
    changed_.wait(lock, [&] { return waiting.done || !writing_; });
    if (!waiting.done) {
      writing_ = true;
      const std::vector<Waiting*> together = std::exchange(queue_, {});
      lock.unlock();
      const Turn turn(*this, together);
      std::vector<Item*> batch;
      batch.reserve(together.size());
      for (const Waiting* one : together) batch.push_back(one->item);
      write(batch);
    }
    return !waiting.lost;
  }

 private:
  struct Waiting {
    Item* item;
    bool done = false;
    bool lost = false;
  };

  // Other threads wait for the writing one, so its turn must end even if it throws.
  class Turn {
   public:
    Turn(GroupCommit& group, const std::vector<Waiting*>& together)
        : group_(group), together_(together), troubles_(std::uncaught_exceptions()) {}
    ~Turn() {
      const bool lost = std::uncaught_exceptions() > troubles_;
      const std::scoped_lock lock(group_.mutex_);
      for (Waiting* one : together_) {
        one->lost = lost;
        one->done = true;
      }
      group_.writing_ = false;
      group_.changed_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    GroupCommit& group_;
    const std::vector<Waiting*>& together_;
    int troubles_;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiting*> queue_;
  bool writing_ = false;
};

}  // namespace enfold::store::detail
