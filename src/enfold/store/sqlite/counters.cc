// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/backend.h"
#include "enfold/store/sqlite/database.h"
#include "enfold/store/stores.h"

#include <mutex>
#include <utility>

namespace enfold::store {
namespace {

using detail::Database;
using detail::Statement;

// Each take adds at most one bucket. A clean-up after kCleanUpEvery takes removes at most twice as
// many, so full buckets become fewer.
constexpr int kCleanUpEvery = 64;
constexpr int kRemovedAtOnce = 128;

class SqliteCounters final : public Counters {
 public:
  explicit SqliteCounters(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Result<RateDecision> take(const BucketKey& key, RateLimit limit, Instant now) override {
    if (limit.per_minute == 0) return RateDecision{};
    const detail::Bucket bucket(limit);
    const std::int64_t instant = now.time_since_epoch().count();
    const detail::Digest digest = detail::digest_of_parts({key.principal, key.tool});
    const std::string_view name(reinterpret_cast<const char*>(digest.data()), digest.size());
    const std::scoped_lock lock(mutex_);
    detail::Transaction transaction(*database_);
    ENFOLD_TRY(transaction.begin());
    ENFOLD_TRY(const std::int64_t full_at, read(name));
    std::int64_t debt = bucket.debt(full_at, instant);
    const bool allowed = bucket.allows(debt);
    if (allowed) debt += bucket.interval;
    ENFOLD_TRY(write(name, instant + debt));
    if (++takes_ % kCleanUpEvery == 0) ENFOLD_TRY(remove_full(instant));
    ENFOLD_TRY(transaction.commit());
    return bucket.answer(allowed, debt);
  }

 private:
  // When the bucket will be full, see detail::Bucket; 0: there is no such bucket.
  Result<std::int64_t> read(std::string_view name) {
    Statement find(*database_, "SELECT full_at FROM bucket WHERE key=?");
    ENFOLD_TRY(const bool found, find.blob(name).step());
    return found ? find.next_number() : 0;
  }

  Status write(std::string_view name, std::int64_t full_at) {
    Statement store(*database_, "INSERT OR REPLACE INTO bucket VALUES(?,?)");
    return store.blob(name).number(full_at).finish();
  }

  // Removes full buckets, because a missing bucket counts as full.
  Status remove_full(std::int64_t now) {
    Statement remove(*database_,
                     "DELETE FROM bucket WHERE key IN (SELECT key FROM bucket WHERE full_at<=? "
                     "ORDER BY full_at LIMIT ?)");
    return remove.number(now).number(kRemovedAtOnce).finish();
  }

  std::mutex mutex_;
  std::unique_ptr<Database> database_;
  int takes_ = 0;
};

}  // namespace

Result<std::unique_ptr<Counters>> sqlite_counters(const std::string& path,
                                                  std::chrono::milliseconds timeout) {
  ENFOLD_TRY(auto database, Database::open(path, Durability::process, timeout));
  return std::make_unique<SqliteCounters>(std::move(database));
}

}  // namespace enfold::store
