// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/backend.h"
#include "enfold/store/sqlite/database.h"
#include "enfold/store/sqlite/maintenance.h"
#include "enfold/store/sqlite/rows.h"
#include "enfold/store/sqlite/schema.h"
#include "enfold/store/stores.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace enfold::store {
namespace {

// Lets threads that write at the same time share one transaction: one thread writes the items of
// all threads that wait.
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
    bool lost = false;  // the write threw
  };

  // The turn of the thread that writes. The other threads wait for it, so it must end even if
  // `write` throws.
  class Turn {
   public:
    Turn(GroupCommit& group, const std::vector<Waiting*>& together)
        : group_(group), together_(together), exceptions_before_(std::uncaught_exceptions()) {}
    ~Turn() {
      const bool lost = std::uncaught_exceptions() > exceptions_before_;
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
    int exceptions_before_;  // uncaught when the turn began
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiting*> queue_;
  bool writing_ = false;  // a thread has its turn
};

using detail::Database;
using detail::Digest;
using detail::Item;
using detail::Maintenance;
using detail::PutRequest;
using detail::read_digest;
using detail::read_row;
using detail::Row;
using detail::Statement;
using detail::to_blob;
using detail::to_number;
using detail::Transaction;

// Entries that one transaction evicts, so that it takes about 10 ms at most.
constexpr int kEvictionsAtOnce = 128;

Result<Statistics> read_statistics(Database& database) {
  Statement total(database, "SELECT principals,entries,size,stored FROM total");
  ENFOLD_TRY(const bool row, total.step());
  Statistics statistics;
  if (!row) return statistics;
  statistics.principals = static_cast<std::uint64_t>(total.next_number());
  statistics.entries = static_cast<std::uint64_t>(total.next_number());
  statistics.bytes = static_cast<std::uint64_t>(total.next_number());
  statistics.stored_bytes = static_cast<std::uint64_t>(total.next_number());
  return statistics;
}

class SqliteBackend final : public detail::Backend {
 public:
  SqliteBackend(std::unique_ptr<Database> writer, std::unique_ptr<Database> reader,
                std::unique_ptr<Database> cleaner, const ArchiveOptions& options)
      : writer_(std::move(writer)),
        reader_(std::move(reader)),
        maintenance_(std::move(cleaner)),
        options_(options) {
    writer_->disable_checkpoints();
  }

  Result<Row> put(const PutRequest& request) override {
    for (;;) {
      PendingPut mine{&request, not_written()};
      const bool written =
          group_.run(mine, [this](const std::vector<PendingPut*>& batch) { write(batch); });
      if (written && mine.needs_room) continue;  // others write in between
      return failures_.note(written ? std::move(mine.result) : not_written());
    }
  }

  Result<std::optional<Item>> find(const Digest& owner, const detail::Reference& reference,
                                   Want want, Time now) override {
    const std::scoped_lock lock(reader_mutex_);
    Statement find(*reader_, statement_for(reference, want));
    find.blob(to_blob(owner));
    reference.hash ? find.blob(to_blob(*reference.hash)) : find.text(reference.handle);
    ENFOLD_TRY(const bool found, find.step());
    if (!found) return std::nullopt;
    Item item{read_row(find), std::nullopt};
    if (item.row.expires <= now) return std::nullopt;
    (void)find.next_number();  // skips the id
    if (want == Want::content && !find.next_is_null()) item.data = find.next_bytes();
    return item;
  }

  Result<Page> list(const Digest& owner, std::size_t skip, std::size_t limit, Time now) override {
    const std::scoped_lock lock(reader_mutex_);
    Statement list(*reader_, ENFOLD_ROW
                   " FROM entry WHERE principal=? ORDER BY sequence DESC LIMIT ? OFFSET ?");
    list.blob(to_blob(owner)).number(to_number(limit)).number(to_number(skip));
    Page page;
    for (std::size_t count = 0;; ++count) {
      page.is_last = count < limit;
      ENFOLD_TRY(const bool found, list.step());
      if (!found) return page;
      Row row = read_row(list);
      if (row.expires > now) page.rows.push_back(std::move(row));
    }
  }

  Result<std::uint64_t> expire(Time now) override { return maintenance_.expire(now); }

  Result<Statistics> statistics() override {
    const std::scoped_lock lock(reader_mutex_);
    return read_statistics(*reader_);
  }

  Health health() const override { return failures_.health(); }

  Status for_each(const Callback& callback) override {
    const std::scoped_lock lock(reader_mutex_);
    {
      Statement check(*reader_, "PRAGMA integrity_check(1)");
      ENFOLD_TRY(const bool row, check.step());
      const std::string found = row ? check.next_bytes() : "no answer";
      if (found != "ok") {
        return fail(ErrorCode::internal, "the archive file is damaged: " + found, reader_->path(),
                    "Move the file away; a new one is made when it is missing.");
      }
    }
    Statement all(*reader_, ENFOLD_ROW
                  ",principal,data FROM entry LEFT JOIN content USING(id) ORDER BY entry.id");
    for (;;) {
      ENFOLD_TRY(const bool row, all.step());
      if (!row) return {};
      Item item{read_row(all), std::nullopt};
      (void)all.next_number();  // skips the id
      const Digest owner = read_digest(all);
      if (!all.next_is_null()) item.data = all.next_bytes();
      callback(owner, item);
    }
  }

 private:
  struct PendingPut {
    const PutRequest* request;
    Result<Row> result;
    bool needs_room = false;  ///< not written: entries were evicted, but not enough for it yet
  };

  [[nodiscard]] Result<Row> not_written() const {
    return fail(ErrorCode::unavailable, "the content was not written", writer_->path(),
                "Try again.");
  }

  // The same bytes of several media types have a handle for each; their hash opens the newest.
  static const char* statement_for(const detail::Reference& reference, Want want) {
#define ENFOLD_BY_HASH " WHERE principal=? AND hash=? ORDER BY sequence DESC LIMIT 1"
#define ENFOLD_BY_HANDLE " WHERE principal=? AND handle=?"
#define ENFOLD_WITH_DATA ENFOLD_ROW ",data FROM entry LEFT JOIN content USING(id)"
    if (want == Want::row) {
      return reference.hash ? ENFOLD_ROW " FROM entry" ENFOLD_BY_HASH
                            : ENFOLD_ROW " FROM entry" ENFOLD_BY_HANDLE;
    }
    return reference.hash ? ENFOLD_WITH_DATA ENFOLD_BY_HASH : ENFOLD_WITH_DATA ENFOLD_BY_HANDLE;
#undef ENFOLD_WITH_DATA
#undef ENFOLD_BY_HANDLE
#undef ENFOLD_BY_HASH
  }

  void write(const std::vector<PendingPut*>& batch) {
    const std::scoped_lock lock(writer_mutex_);
    if (write_together(batch) || batch.size() == 1) return;
    // One entry may have caused the failure, and a full disk may have room for the others, so each
    // is written separately.
    for (PendingPut* pending : batch) (void)write_together({pending});
  }

  /// Writes all entries in one transaction. False: none is written, and every result is an error.
  bool write_together(const std::vector<PendingPut*>& batch) {
    Maintenance::Commit commit{Time::min(), Time::max()};
    int evictions_left = kEvictionsAtOnce;
    Transaction transaction(*writer_);
    Status done = transaction.begin();
    for (PendingPut* pending : batch) {
      if (!done) break;
      auto row = detail::put_in_transaction(*writer_, options_, *pending->request, evictions_left);
      if (!row) {
        done = tl::unexpected(row.error());
        break;
      }
      pending->needs_room = !row->has_value();
      if (pending->needs_room) continue;
      pending->result = **std::move(row);
      commit.now = std::max(commit.now, pending->request->now);
      commit.expires = std::min(commit.expires, pending->result->expires);
    }
    if (done) done = transaction.commit();
    if (done) {
      commit.wal_pages = writer_->wal_pages();
      maintenance_.after(commit);
      return true;
    }
    for (PendingPut* pending : batch) {
      pending->result = tl::unexpected(done.error());
      pending->needs_room = false;
    }
    return false;
  }

  std::mutex writer_mutex_;  ///< protects `writer_`
  std::mutex reader_mutex_;  ///< protects `reader_`
  std::unique_ptr<Database> writer_;
  std::unique_ptr<Database> reader_;
  Maintenance maintenance_;
  ArchiveOptions options_;

  GroupCommit<PendingPut> group_;
  detail::Failures failures_;
};

}  // namespace

Result<std::unique_ptr<detail::Backend>> detail::sqlite_backend(const std::string& path,
                                                                const ArchiveOptions& options) {
  ENFOLD_TRY(auto writer, Database::open(path, options.durability, options.timeout));
  ENFOLD_TRY(auto reader, Database::open(path, Durability::process, options.timeout));
  ENFOLD_TRY(auto cleaner, Database::open(path, Durability::process, options.timeout));
  ENFOLD_TRY(reader->run("PRAGMA query_only=1"));
  // A clean-up writes the same index pages again and again; fewer checkpoints copy them less often.
  ENFOLD_TRY(cleaner->run("PRAGMA wal_autocheckpoint=4000"));
  return std::make_unique<SqliteBackend>(std::move(writer), std::move(reader), std::move(cleaner),
                                         options);
}

Result<std::unique_ptr<Archive>> sqlite_archive(const std::string& path,
                                                const ArchiveOptions& options) {
  ENFOLD_TRY(auto backend, detail::sqlite_backend(path, options));
  return detail::content_archive(std::move(backend), options);
}

Result<Statistics> inspect_sqlite_archive(const std::string& path) {
  ENFOLD_TRY(const auto database, Database::open_read_only(path, ArchiveOptions().timeout));
  ENFOLD_TRY(const auto version, database->number("PRAGMA user_version"));
  if (version != detail::kSchemaVersion) return Statistics{};
  return read_statistics(*database);
}

}  // namespace enfold::store
