// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/sqlite/maintenance.h"

#include "enfold/store/detail/backend.h"
#include "enfold/store/sqlite/rows.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace enfold::store::detail {
namespace {

using Clock = std::chrono::steady_clock;

// A step keeps the file's write lock for about this long. Shorter steps would write the same index
// pages more often.
constexpr auto kStepTime = std::chrono::milliseconds(4);
constexpr int kRowsAtOnce = 16;  // of one DELETE
// Longer than a waiting connection sleeps before it tries again (Database::wait_for_others).
constexpr auto kPause = std::chrono::milliseconds(2);
constexpr int kCheckpointPages = 1000;  // pages in the log that are worth a checkpoint
// A log that is written to without a pause is never written back completely. From this number of
// pages on (128 MB) the checkpoint blocks writers for its last pages, once they are few.
constexpr int kLongestLog = 32'768;
constexpr int kFewPages = 500;  // that are not written back yet
constexpr int kMostRounds = 8;  // checkpoints one after the other, until few pages are left

}  // namespace

Maintenance::Maintenance(std::unique_ptr<Database> database) : database_(std::move(database)) {
  find_next_expiry();
}

Maintenance::~Maintenance() {
  {
    const std::scoped_lock lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Maintenance::after(const Commit& commit) {
  const std::scoped_lock lock(mutex_);
  now_ = std::max(now_, commit.now);
  next_expiry_ = std::min(next_expiry_, commit.expires);
  if (commit.wal_pages < wal_pages_) pages_written_back_ = 0;  // SQLite has started a new log
  wal_pages_ = commit.wal_pages;
  has_work_ = next_expiry_ <= now_ || wal_pages_ - pages_written_back_ >= kCheckpointPages;
  if (!has_work_) return;
  start();
  changed_.notify_all();
}

// If the thread cannot be started, the next commit tries again; until then the log grows.
void Maintenance::start() {
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::exception&) {
  }
}

void Maintenance::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stops_ || has_work_; });
    if (!has_work_) return;
    has_work_ = false;
    const Time now = now_;
    const bool writes_log_back = wal_pages_ - pages_written_back_ >= kCheckpointPages;
    lock.unlock();
    try {
      work(now, writes_log_back);
    } catch (const std::exception&) {  // out of memory: the next commit tries again
    }
    lock.lock();
    if (stops_) return;
  }
}

void Maintenance::work(Time now, bool writes_log_back) {
  const std::scoped_lock lock(database_mutex_);
  if (writes_log_back) write_log_back();
  do {
    const auto step = remove_some(now);
    if (!step || step->is_last) break;
  } while (pause());
  find_next_expiry();
}

Result<std::uint64_t> Maintenance::expire(Time now) {
  const std::scoped_lock lock(database_mutex_);
  std::uint64_t removed = 0;
  for (bool done = false; !done; (void)(done || pause())) {
    ENFOLD_TRY(const Step step, remove_some(now));
    removed += step.removed;
    done = step.is_last;
  }
  find_next_expiry();
  if (removed > 0) give_space_back();
  return removed;
}

Result<Maintenance::Step> Maintenance::remove_some(Time now) {
  const auto end = Clock::now() + kStepTime;
  Step step;
  Transaction transaction(*database_);
  ENFOLD_TRY(transaction.begin());
  while (!step.is_last && Clock::now() < end) {
    Statement remove(*database_,
                     "DELETE FROM entry WHERE id IN (SELECT id FROM entry WHERE expires<=? ORDER "
                     "BY expires LIMIT ?) RETURNING id");
    remove.number(to_number(now)).number(kRowsAtOnce);
    int rows = 0;
    for (;; ++rows) {
      ENFOLD_TRY(const bool row, remove.step());
      if (!row) break;
    }
    step.removed += static_cast<std::uint64_t>(rows);
    step.is_last = rows < kRowsAtOnce;
  }
  ENFOLD_TRY(transaction.commit());
  return step;
}

// Returns free pages to the file system. Space that cannot be returned now, for example because of
// a reader, is used for new content.
void Maintenance::give_space_back() {
  for (;;) {
    const auto free_pages = database_->number("PRAGMA freelist_count");
    if (!free_pages || *free_pages == 0) break;
    const auto end = Clock::now() + kStepTime;
    while (Clock::now() < end) {
      if (!database_->run("PRAGMA incremental_vacuum(16)")) return;
    }
    if (!pause()) return;
  }
  // Shortening the log blocks writers. It is postponed while pages are left to write back, because
  // other connections are then in use.
  const auto left = database_->checkpoint(Database::Checkpoint::passive);
  if (left && *left == 0) (void)database_->checkpoint(Database::Checkpoint::truncate);
}

void Maintenance::write_log_back() {
  for (int round = 0; round < kMostRounds; ++round) {
    const auto left = database_->checkpoint(Database::Checkpoint::passive);
    if (!left) return;
    const std::scoped_lock lock(mutex_);
    pages_written_back_ = std::max(0, wal_pages_ - *left);
    if (wal_pages_ < kLongestLog) return;
    if (*left < kFewPages) break;
  }
  (void)database_->checkpoint(Database::Checkpoint::full);
}

void Maintenance::find_next_expiry() {
  {
    const std::scoped_lock lock(mutex_);
    next_expiry_ = Time::max();
  }
  Statement find(*database_, "SELECT expires FROM entry ORDER BY expires LIMIT 1");
  const auto found = find.step();
  if (found && !*found) return;
  const std::scoped_lock lock(mutex_);
  // After an error the next commit tries again.
  next_expiry_ =
      found ? std::min(next_expiry_, Time(std::chrono::seconds(find.next_number()))) : Time::min();
}

bool Maintenance::pause() {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, kPause, [this] { return stops_; });
}

}  // namespace enfold::store::detail
