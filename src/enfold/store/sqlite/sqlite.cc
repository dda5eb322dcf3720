// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/sqlite/sqlite.h"

#include "enfold/store/detail/backend.h"
#include "enfold/store/sqlite/database.h"
#include "enfold/store/sqlite/group_commit.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

namespace enfold::store {
namespace {

using detail::Database;
using detail::Digest;
using detail::Durability;
using detail::Held;
using detail::Placement;
using detail::Row;
using detail::Statement;
using detail::Transaction;

std::string_view view(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::int64_t seconds(Time time) { return time.time_since_epoch().count(); }
std::int64_t number(std::uint64_t value) {
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max()));
}

// The columns of every SELECT that read_row reads.
#define ENFOLD_ROW                                                                      \
  "SELECT handle,hash,tool,arguments_hash,media_type,created,expires,size,stored,codec" \
  ",entry.id"

Digest read_digest(Statement& statement) {
  Digest digest{};
  const std::string bytes = statement.next_bytes();
  std::copy_n(bytes.begin(), std::min(bytes.size(), digest.size()), digest.begin());
  return digest;
}

Row read_row(Statement& statement) {
  Row row;
  row.handle = statement.next_bytes();
  row.hash = read_digest(statement);
  row.meta.tool = statement.next_bytes();
  row.meta.arguments_hash = statement.next_bytes();
  row.meta.media_type = statement.next_bytes();
  row.created = Time(std::chrono::seconds(statement.next_number()));
  row.expires = Time(std::chrono::seconds(statement.next_number()));
  row.size = static_cast<std::uint64_t>(statement.next_number());
  row.stored = static_cast<std::uint64_t>(statement.next_number());
  row.codec = static_cast<detail::Codec>(statement.next_number());
  return row;
}

/// The steps of a put, inside the transaction of the caller.
class Placing {
 public:
  Placing(Database& database, const ArchiveOptions& options, const Placement& placement)
      : database_(database), options_(options), placement_(placement), row_(placement.row) {}

  Result<Row> run() {
    Status done = drop_expired();
    if (done) done = find_existing();
    if (done) done = existing_ ? extend() : add();
    if (done) done = drop_oldest_of_owner();
    if (done) done = drop_oldest_of_all();
    if (!done) return tl::unexpected(done.error());
    return row_;
  }

 private:
  Status drop_expired() {
    Statement drop(database_, "DELETE FROM entry WHERE principal=? AND expires<=?");
    return drop.blob(view(placement_.owner)).number(seconds(placement_.now)).finish();
  }

  Status find_existing() {
    Statement find(database_, ENFOLD_ROW
                   ",data FROM entry LEFT JOIN content USING(id) WHERE principal=? AND hash=? AND "
                   "media_type=?");
    find.blob(view(placement_.owner)).blob(view(row_.hash)).text(row_.meta.media_type);
    auto found = find.step();
    if (!found) return tl::unexpected(found.error());
    existing_ = *found;
    if (!existing_) return {};
    const Row old = read_row(find);
    id_ = find.next_number();
    const auto& handles = placement_.handles;
    if (std::find(handles.begin(), handles.end(), old.handle) == handles.end()) {
      return drop_misnamed();
    }
    intact_ =
        old.codec == row_.codec && old.size == row_.size && find.next_bytes() == placement_.data;
    row_.handle = old.handle;
    row_.created = old.created;
    row_.expires = std::max(row_.expires, old.expires);
    return {};
  }

  // A handle that does not follow from the content never opens it.
  Status drop_misnamed() {
    existing_ = false;
    Statement drop(database_, "DELETE FROM entry WHERE id=?");
    return drop.number(id_).finish();
  }

  Status extend() {
    Statement touch(database_,
                    "UPDATE entry SET sequence=(SELECT max(sequence) FROM entry)+1,expires=?,"
                    "size=?,stored=?,codec=?,tool=?,arguments_hash=? WHERE id=?");
    touch.number(seconds(row_.expires)).number(number(row_.size)).number(number(row_.stored));
    touch.number(static_cast<std::int64_t>(row_.codec));
    touch.text(row_.meta.tool).text(row_.meta.arguments_hash);
    if (auto done = touch.number(id_).finish(); !done) return done;
    if (intact_) return {};
    Statement repair(database_, "INSERT OR REPLACE INTO content VALUES(?,?)");
    return repair.number(id_).blob(placement_.data).finish();
  }

  Status add() {
    if (auto chosen = choose_handle(); !chosen) return chosen;
    {
      Statement insert(
          database_,
          "INSERT INTO entry(principal,hash,handle,sequence,created,expires,size,stored,codec,tool,"
          "arguments_hash,media_type) VALUES(?,?,?,(SELECT coalesce(max(sequence),0) FROM entry)+1,"
          "?,?,?,?,?,?,?,?) RETURNING id");
      insert.blob(view(placement_.owner)).blob(view(row_.hash)).text(row_.handle);
      insert.number(seconds(row_.created)).number(seconds(row_.expires));
      insert.number(number(row_.size)).number(number(row_.stored));
      insert.number(static_cast<std::int64_t>(row_.codec));
      insert.text(row_.meta.tool).text(row_.meta.arguments_hash).text(row_.meta.media_type);
      if (auto added = insert.step(); !added) return tl::unexpected(added.error());
      id_ = insert.next_number();
      if (auto done = insert.finish(); !done) return done;
    }
    Statement store(database_, "INSERT OR REPLACE INTO content VALUES(?,?)");
    return store.number(id_).blob(placement_.data).finish();
  }

  Status choose_handle() {
    for (const std::string& handle : placement_.handles) {
      Statement find(database_, "SELECT 1 FROM entry WHERE principal=? AND handle=?");
      const auto taken = find.blob(view(placement_.owner)).text(handle).step();
      if (!taken) return tl::unexpected(taken.error());
      if (*taken) continue;
      row_.handle = handle;
      return {};
    }
    return detail::no_free_handle();
  }

  // Both loops end at the latest when only the new entry is left: it fits, and it is the newest.
  Status drop_oldest_of_owner() {
    for (;;) {
      const auto held = sum("SELECT stored FROM holding WHERE principal=?", placement_.owner);
      if (!held) return tl::unexpected(held.error());
      if (*held <= number(options_.max_bytes_per_principal)) return {};
      Statement drop(database_,
                     "DELETE FROM entry WHERE sequence=(SELECT min(sequence) FROM entry WHERE "
                     "principal=?) AND id<>? RETURNING id");
      if (auto more = dropped(drop.blob(view(placement_.owner)).number(id_)); !more || !*more) {
        return more ? Status{} : tl::unexpected(more.error());
      }
    }
  }

  Status drop_oldest_of_all() {
    for (;;) {
      const auto held = sum("SELECT sum(stored) FROM holding", std::nullopt);
      if (!held) return tl::unexpected(held.error());
      if (*held <= number(options_.max_bytes)) return {};
      Statement drop(database_,
                     "DELETE FROM entry WHERE sequence=(SELECT min(sequence) FROM entry) AND id<>? "
                     "RETURNING id");
      if (auto more = dropped(drop.number(id_)); !more || !*more) {
        return more ? Status{} : tl::unexpected(more.error());
      }
    }
  }

  Result<std::int64_t> sum(const char* sql, const std::optional<Digest>& owner) {
    Statement query(database_, sql);
    if (owner) query.blob(view(*owner));
    const auto row = query.step();
    if (!row) return tl::unexpected(row.error());
    return *row ? query.next_number() : 0;
  }

  static Result<bool> dropped(Statement& drop) {
    auto row = drop.step();
    if (!row || !*row) return row;
    if (auto done = drop.finish(); !done) return tl::unexpected(done.error());
    return true;
  }

  Database& database_;
  const ArchiveOptions& options_;
  const Placement& placement_;
  Row row_;
  bool existing_ = false;
  bool intact_ = false;
  std::int64_t id_ = 0;
};

class SqliteBackend final : public detail::Backend {
 public:
  SqliteBackend(std::unique_ptr<Database> writer, std::unique_ptr<Database> reader,
                const ArchiveOptions& options)
      : writer_(std::move(writer)), reader_(std::move(reader)), options_(options) {}

  Result<Row> place(const Placement& placement) override {
    Waiting mine{&placement, not_written()};
    const bool written =
        group_.run(mine, [this](const std::vector<Waiting*>& batch) { write(batch); });
    return written ? std::move(mine.result) : not_written();
  }

  Result<std::optional<Held>> look(const Digest& owner, const detail::Reference& reference,
                                   Want want) override {
    const std::scoped_lock lock(reader_mutex_);
    Statement find(*reader_, statement_for(reference, want));
    find.blob(view(owner));
    reference.hash ? find.blob(view(*reference.hash)) : find.text(reference.handle);
    const auto found = find.step();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    Held held{read_row(find), std::nullopt};
    (void)find.next_number();  // the id
    if (want == Want::content && !find.next_is_null()) held.data = find.next_bytes();
    return held;
  }

  Result<std::vector<Row>> newest(const Digest& owner, std::size_t skip,
                                  std::size_t limit) override {
    const std::scoped_lock lock(reader_mutex_);
    Statement list(*reader_, ENFOLD_ROW
                   " FROM entry WHERE principal=? ORDER BY sequence DESC LIMIT ? OFFSET ?");
    list.blob(view(owner)).number(number(limit)).number(number(skip));
    std::vector<Row> rows;
    for (;;) {
      const auto row = list.step();
      if (!row) return tl::unexpected(row.error());
      if (!*row) return rows;
      rows.push_back(read_row(list));
    }
  }

  Result<std::uint64_t> expire(Time now) override {
    const std::scoped_lock lock(writer_mutex_);
    Transaction transaction(*writer_);
    if (auto begun = transaction.begin(); !begun) return tl::unexpected(begun.error());
    std::uint64_t removed = 0;
    {
      Statement drop(*writer_, "DELETE FROM entry WHERE expires<=? RETURNING id");
      drop.number(seconds(now));
      for (;;) {
        const auto row = drop.step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) break;
        ++removed;
      }
    }
    if (auto done = transaction.commit(); !done) return tl::unexpected(done.error());
    // Giving space back is a courtesy; a reader that is in the way makes it wait for the next time.
    if (removed > 0)
      (void)writer_->run("PRAGMA incremental_vacuum;PRAGMA wal_checkpoint(TRUNCATE)");
    return removed;
  }

  Result<Statistics> statistics() override {
    const std::scoped_lock lock(reader_mutex_);
    Statement sum(*reader_, "SELECT count(*),sum(entries),sum(size),sum(stored) FROM holding");
    const auto row = sum.step();
    if (!row) return tl::unexpected(row.error());
    Statistics statistics;
    statistics.principals = static_cast<std::uint64_t>(sum.next_number());
    statistics.entries = static_cast<std::uint64_t>(sum.next_number());
    statistics.bytes = static_cast<std::uint64_t>(sum.next_number());
    statistics.stored_bytes = static_cast<std::uint64_t>(sum.next_number());
    return statistics;
  }

  Status visit(const Visitor& visitor) override {
    const std::scoped_lock lock(reader_mutex_);
    {
      Statement check(*reader_, "PRAGMA integrity_check(1)");
      const auto row = check.step();
      if (!row) return tl::unexpected(row.error());
      const std::string found = *row ? check.next_bytes() : "no answer";
      if (found != "ok") {
        return fail(ErrorCode::internal, "the archive file is damaged: " + found, reader_->path(),
                    "Move the file away; a new one is made when it is missing.");
      }
    }
    Statement all(*reader_, ENFOLD_ROW
                  ",principal,data FROM entry LEFT JOIN content USING(id) ORDER BY entry.id");
    for (;;) {
      const auto row = all.step();
      if (!row) return tl::unexpected(row.error());
      if (!*row) return {};
      Held held{read_row(all), std::nullopt};
      (void)all.next_number();
      const Digest owner = read_digest(all);
      if (!all.next_is_null()) held.data = all.next_bytes();
      visitor(owner, held);
    }
  }

 private:
  struct Waiting {
    const Placement* placement;
    Result<Row> result;
  };

  [[nodiscard]] Result<Row> not_written() const {
    return fail(ErrorCode::unavailable, "the content was not written", writer_->path(),
                "Try again.");
  }

  // Bytes that are read as several kinds have a handle for each; their hash opens the latest.
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

  void write(const std::vector<Waiting*>& batch) {
    const std::scoped_lock lock(writer_mutex_);
    if (write_together(batch) || batch.size() == 1) return;
    // One of them may have spoilt it for all, a disk that has room for the others say.
    for (Waiting* waiting : batch) (void)write_together({waiting});
  }

  /// True: all are written and synced. False: none is, and every result is an error.
  bool write_together(const std::vector<Waiting*>& batch) {
    Transaction transaction(*writer_);
    Status done = transaction.begin();
    for (Waiting* waiting : batch) {
      if (!done) break;
      waiting->result = Placing(*writer_, options_, *waiting->placement).run();
      if (!waiting->result) done = tl::unexpected(waiting->result.error());
    }
    if (done) done = transaction.commit();
    if (done) return true;
    for (Waiting* waiting : batch) waiting->result = tl::unexpected(done.error());
    return false;
  }

  std::mutex writer_mutex_;
  std::mutex reader_mutex_;
  std::unique_ptr<Database> writer_;
  std::unique_ptr<Database> reader_;
  ArchiveOptions options_;

  detail::GroupCommit<Waiting> group_;
};

#undef ENFOLD_ROW

}  // namespace

Result<std::unique_ptr<detail::Backend>> detail::sqlite_backend(const std::string& path,
                                                                const ArchiveOptions& options) {
  auto writer = Database::open(path, Durability::synced, options.patience);
  if (!writer) return tl::unexpected(writer.error());
  auto reader = Database::open(path, Durability::synced, options.patience);
  if (!reader) return tl::unexpected(reader.error());
  if (auto done = (*reader)->run("PRAGMA query_only=1"); !done) return tl::unexpected(done.error());
  return std::make_unique<SqliteBackend>(*std::move(writer), *std::move(reader), options);
}

Result<std::unique_ptr<Archive>> sqlite_archive(const std::string& path,
                                                const ArchiveOptions& options) {
  auto backend = detail::sqlite_backend(path, options);
  if (!backend) return tl::unexpected(backend.error());
  return detail::content_archive(*std::move(backend), options);
}

}  // namespace enfold::store
