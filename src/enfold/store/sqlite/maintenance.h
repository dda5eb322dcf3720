// SPDX-License-Identifier: Apache-2.0
// Work for which no put waits: removing expired entries, and writing the log back into the file (a
// checkpoint, which takes an fsync). Maintenance has its own connection, and a thread that starts
// when there is work. It works in short transactions with pauses between them, in which other
// threads and processes write.
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
  ~Maintenance();  ///< waits until the current step has ended
  Maintenance(const Maintenance&) = delete;
  Maintenance& operator=(const Maintenance&) = delete;

  /// What Maintenance needs to know after a commit: the time of the newest put, the earliest expiry
  /// among the written entries, and the number of pages in the log.
  struct Commit {
    Time now;
    Time expires;
    int wal_pages = 0;
  };
  /// The writer calls it after every commit. Wakes the thread if there is work.
  void after(const Commit& commit);

  /// Removes expired entries and returns their space to the file system, in the caller's thread.
  [[nodiscard]] Result<std::uint64_t> expire(Time now);

 private:
  struct Step {
    std::uint64_t removed = 0;  ///< number of entries
    bool is_last = false;       ///< no expired entry is left
  };
  void start();  ///< starts the thread unless it runs; `mutex_` is locked
  void run();    ///< the thread runs it
  /// What the thread does each time that there is work.
  void work(Time now, bool writes_log_back);
  /// Removes expired entries in one short transaction.
  [[nodiscard]] Result<Step> remove_some(Time now);
  void give_space_back();
  void write_log_back();
  /// Reads `next_expiry_` from the file.
  void find_next_expiry();
  /// Lets other connections write; false: maintenance must stop.
  [[nodiscard]] bool pause();

  std::mutex database_mutex_;  ///< protects `database_`
  std::unique_ptr<Database> database_;

  std::mutex mutex_;                 ///< protects the members below
  std::condition_variable changed_;  ///< has_work_ or stops_ was set
  std::thread thread_;
  Time now_{};                      ///< of the newest put
  Time next_expiry_ = Time::max();  ///< of all entries; max(): there is none; min(): not known
  int wal_pages_ = 0;               ///< after the last commit
  int pages_written_back_ = 0;      ///< of the current log
  bool has_work_ = false;
  bool stops_ = false;
};

}  // namespace enfold::store::detail
