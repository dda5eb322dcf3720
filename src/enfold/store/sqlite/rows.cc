// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/sqlite/rows.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace enfold::store::detail {
namespace {

// One put, in a transaction of the caller.
class Put {
 public:
  Put(Database& database, const ArchiveOptions& options, const PutRequest& request,
      int& evictions_left)
      : database_(database),
        options_(options),
        request_(request),
        evictions_left_(evictions_left),
        row_(request.row) {}

  // nullopt: see put_in_transaction.
  Result<std::optional<Row>> run() {
    ENFOLD_TRY(find_existing());
    ENFOLD_TRY(const bool has_room_of_owner, evict_of_owner());
    if (!has_room_of_owner) return std::nullopt;
    ENFOLD_TRY(const bool has_room_of_all, evict_of_all());
    if (!has_room_of_all) return std::nullopt;
    ENFOLD_TRY(exists_ ? extend() : add());
    return row_;
  }

 private:
  // Looks for the content under the same media type. If it is there, `row_` keeps its handle, its
  // creation time and the later expiry.
  Status find_existing() {
    Statement find(database_, ENFOLD_ROW
                   ",data FROM entry LEFT JOIN content USING(id) WHERE principal=? AND hash=? AND "
                   "media_type=?");
    find.blob(to_blob(request_.owner)).blob(to_blob(row_.hash)).text(row_.meta.media_type);
    ENFOLD_TRY(exists_, find.step());
    if (!exists_) return {};
    const Row old = read_row(find);
    id_ = find.next_number();
    old_stored_ = to_number(old.stored);
    const auto& handles = request_.handles;
    if (std::find(handles.begin(), handles.end(), old.handle) == handles.end()) {
      return remove_misnamed();
    }
    is_intact_ =
        old.codec == row_.codec && old.size == row_.size && find.next_bytes() == request_.data;
    row_.handle = old.handle;
    if (old.expires <= request_.now) return {};
    row_.created = old.created;
    row_.expires = std::max(row_.expires, old.expires);
    return {};
  }

  // Removes the existing entry. Its handle was not derived from the content, so it would never open
  // the content.
  Status remove_misnamed() {
    exists_ = false;
    old_stored_ = 0;
    Statement remove(database_, "DELETE FROM entry WHERE id=?");
    return remove.number(id_).finish();
  }

  // Updates the existing entry.
  Status extend() {
    Statement update(database_,
                     "UPDATE entry SET sequence=(SELECT max(sequence) FROM entry)+1,created=?,"
                     "expires=?,size=?,stored=?,codec=?,tool=?,arguments_hash=? WHERE id=?");
    update.number(to_number(row_.created)).number(to_number(row_.expires));
    update.number(to_number(row_.size)).number(to_number(row_.stored));
    update.number(static_cast<std::int64_t>(row_.codec));
    update.text(row_.meta.tool).text(row_.meta.arguments_hash);
    ENFOLD_TRY(update.number(id_).finish());
    return is_intact_ ? Status{} : write_content();
  }

  Status add() {
    ENFOLD_TRY(choose_handle());
    {
      Statement insert(
          database_,
          "INSERT INTO entry(principal,hash,handle,sequence,created,expires,size,stored,codec,tool,"
          "arguments_hash,media_type) VALUES(?,?,?,(SELECT coalesce(max(sequence),0) FROM entry)+1,"
          "?,?,?,?,?,?,?,?) RETURNING id");
      insert.blob(to_blob(request_.owner)).blob(to_blob(row_.hash)).text(row_.handle);
      insert.number(to_number(row_.created)).number(to_number(row_.expires));
      insert.number(to_number(row_.size)).number(to_number(row_.stored));
      insert.number(static_cast<std::int64_t>(row_.codec));
      insert.text(row_.meta.tool).text(row_.meta.arguments_hash).text(row_.meta.media_type);
      ENFOLD_TRY([[maybe_unused]] const bool added, insert.step());
      id_ = insert.next_number();
      ENFOLD_TRY(insert.finish());
    }
    return write_content();
  }

  Status write_content() {
    Statement write(database_, "INSERT OR REPLACE INTO content VALUES(?,?)");
    return write.number(id_).blob(request_.data).finish();
  }

  Status choose_handle() {
    for (const std::string& handle : request_.handles) {
      Statement find(database_, "SELECT 1 FROM entry WHERE principal=? AND handle=?");
      ENFOLD_TRY(const bool taken, find.blob(to_blob(request_.owner)).text(handle).step());
      if (taken) continue;
      row_.handle = handle;
      return {};
    }
    return no_free_handle();
  }

  // What is held after the put, if `stored` bytes or `entries` are held now.
  [[nodiscard]] std::int64_t with_new(std::int64_t stored) const {
    return stored - old_stored_ + to_number(row_.stored);
  }
  [[nodiscard]] std::int64_t entries_with_new(std::int64_t entries) const {
    return exists_ ? entries : entries + 1;
  }

  // Evicts the oldest entries of the owner until its caps are met. Entries with the same time to
  // live expire in this order, so expired entries are evicted first. False: more must be evicted in
  // another transaction.
  Result<bool> evict_of_owner() {
    for (;;) {
      ENFOLD_TRY(const Holding own, own_holding());
      if (with_new(own.stored) <= to_number(options_.max_bytes_per_principal) &&
          entries_with_new(own.entries) <= to_number(options_.max_entries_per_principal)) {
        return true;
      }
      if (evictions_left_ == 0) return false;
      ENFOLD_TRY(const bool more, remove_oldest_of(request_.owner));
      if (!more) return true;
    }
  }

  // Evicts until max_bytes is met: expired entries first. Then a principal that holds more than an
  // equal share loses its oldest entries: first the owner itself, so that many puts of one
  // principal cost others nothing, then the principal that holds most. False as for evict_of_owner.
  Result<bool> evict_of_all() {
    for (bool is_checked = false;;) {
      ENFOLD_TRY(const auto stored, database_.number("SELECT stored FROM total"));
      if (with_new(stored) <= to_number(options_.max_bytes)) return true;
      if (evictions_left_ == 0) return false;
      ENFOLD_TRY(const bool had_expired, remove_expired());
      if (had_expired) continue;
      ENFOLD_TRY(const Holding own, own_holding());
      ENFOLD_TRY(const auto principals, database_.number("SELECT principals FROM total"));
      const auto share = to_number(options_.max_bytes) / (principals + (own.entries == 0 ? 1 : 0));
      if (!std::exchange(is_checked, true)) ENFOLD_TRY(check_room(share));
      ENFOLD_TRY(const bool evicted_own, with_new(own.stored) > share
                                             ? remove_oldest_of(request_.owner)
                                             : Result<bool>(false));
      if (evicted_own) continue;
      ENFOLD_TRY(const Holding largest,
                 holding("SELECT principal,stored,entries FROM holding WHERE principal<>? ORDER BY "
                         "stored DESC,principal LIMIT 1"));
      ENFOLD_TRY(const bool more, remove_oldest_of(largest.principal));
      if (!more) return true;
    }
  }

  // An error if the content cannot fit beside the other principals. Content that is no larger than
  // a share always fits, because the others can be evicted down to their shares.
  Status check_room(std::int64_t share) {
    if (to_number(row_.stored) <= share) return {};
    Statement sum(database_,
                  "SELECT coalesce(sum(min(stored,?)),0) FROM holding WHERE principal<>?");
    sum.number(share).blob(to_blob(request_.owner));
    ENFOLD_TRY([[maybe_unused]] const bool found, sum.step());
    const std::int64_t others = sum.next_number();
    if (others <= to_number(options_.max_bytes) - to_number(row_.stored)) return {};
    return no_room(static_cast<std::uint64_t>(share));
  }

  struct Holding {
    Digest principal{};
    std::int64_t stored = 0;
    std::int64_t entries = 0;
  };
  // The row that `sql` selects, with the owner as its parameter; without a row, nothing is held.
  Result<Holding> holding(const char* sql) {
    Statement find(database_, sql);
    ENFOLD_TRY(const bool found, find.blob(to_blob(request_.owner)).step());
    if (!found) return Holding{};
    Holding held{read_digest(find)};
    held.stored = find.next_number();
    held.entries = find.next_number();
    return held;
  }

  Result<Holding> own_holding() {
    return holding("SELECT principal,stored,entries FROM holding WHERE principal=?");
  }

  // Removes the oldest entry of the principal, but never the entry that is put; false: there is no
  // other.
  Result<bool> remove_oldest_of(const Digest& principal) {
    Statement remove(database_,
                     "DELETE FROM entry WHERE id=(SELECT id FROM entry WHERE principal=? AND id<>? "
                     "ORDER BY sequence LIMIT 1) RETURNING id");
    return run_delete(remove.blob(to_blob(principal)).number(id_));
  }

  // Removes one expired entry; false: there is none.
  Result<bool> remove_expired() {
    Statement remove(database_,
                     "DELETE FROM entry WHERE id=(SELECT id FROM entry WHERE expires<=? AND id<>? "
                     "ORDER BY expires LIMIT 1) RETURNING id");
    return run_delete(remove.number(to_number(request_.now)).number(id_));
  }

  // Runs a DELETE with RETURNING, and counts an eviction; false: it removed nothing.
  Result<bool> run_delete(Statement& statement) {
    ENFOLD_TRY(const bool row, statement.step());
    if (!row) return false;
    --evictions_left_;
    ENFOLD_TRY(statement.finish());
    return true;
  }

  Database& database_;
  const ArchiveOptions& options_;
  const PutRequest& request_;
  int& evictions_left_;
  Row row_;
  bool exists_ = false;
  std::int64_t old_stored_ = 0;  // bytes of the entry that exists
  bool is_intact_ = false;       // the stored bytes are those of the request
  std::int64_t id_ = 0;          // of the entry; 0: it does not exist yet
};

}  // namespace

std::string_view to_blob(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::int64_t to_number(Time time) { return time.time_since_epoch().count(); }

std::int64_t to_number(std::uint64_t value) {
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max()));
}

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
  row.codec = static_cast<Codec>(statement.next_number());
  return row;
}

Result<std::optional<Row>> put_in_transaction(Database& database, const ArchiveOptions& options,
                                              const PutRequest& request, int& evictions_left) {
  return Put(database, options, request, evictions_left).run();
}

}  // namespace enfold::store::detail
