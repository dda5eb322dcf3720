// SPDX-License-Identifier: Apache-2.0
// The work that no put waits for: removing expired entries, and writing the log back into the file
// (a checkpoint, which takes an fsync). It has a connection of its own, and a thread that starts
// when there is something to do. Everything is done in short transactions with pauses between
// them, in which other threads and processes write.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/sqlite/database.h"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace enfold::store::detail {

class Maintenance {
 public:
  explicit Maintenance(std::unique_ptr<Database> database);
  ~Maintenance();  ///< waits for the step that is running
  Maintenance(const Maintenance&) = delete;
  Maintenance& operator=(const Maintenance&) = delete;

  /// After a commit: the time of its newest put, the earliest expiry among its entries, and the
  /// pages that are in the log now.
  struct Commit {
    Time now;
    Time expires;
    int log_pages = 0;
  };
  void after(const Commit& commit);

  /// Removes what has expired and gives the space back, in the caller's thread.
  [[nodiscard]] Result<std::uint64_t> expire(Time now);

 private:
  struct Step {
    std::uint64_t removed = 0;
    bool is_last = false;
  };
  void start();
  void run();
  void work(Time now, bool writes_log_back);
  [[nodiscard]] Result<Step> remove_some(Time now);
  void give_space_back();
  void write_log_back();
  void find_next_expiry();
  [[nodiscard]] bool pause();  ///< false: time to stop

  std::mutex database_mutex_;
  std::unique_ptr<Database> database_;

  std::mutex mutex_;  ///< of everything below
  std::condition_variable changed_;
  std::thread thread_;
  Time now_{};
  Time next_expiry_ = Time::max();
  int log_pages_ = 0;
  int pages_written_back_ = 0;  ///< of the present log
  bool has_work_ = false;
  bool stops_ = false;
};

}  // namespace enfold::store::detail
