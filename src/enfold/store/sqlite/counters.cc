// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/bucket.h"
#include "enfold/store/detail/digest.h"
#include "enfold/store/sqlite/database.h"
#include "enfold/store/sqlite/sqlite.h"

#include <mutex>
#include <utility>

namespace enfold::store {
namespace {

using detail::Database;
using detail::Statement;

constexpr int kSweepEvery = 1024;

class SqliteCounters final : public Counters {
 public:
  explicit SqliteCounters(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Result<Taken> take(const BucketKey& key, RateLimit limit, Instant now) override {
    if (limit.per_minute == 0) return Taken{};
    const detail::Bucket bucket(limit);
    const std::int64_t instant = now.time_since_epoch().count();
    const detail::Digest digest = detail::digest_of_parts({key.principal, key.tool});
    const std::string_view name(reinterpret_cast<const char*>(digest.data()), digest.size());
    const std::scoped_lock lock(mutex_);
    detail::Transaction transaction(*database_);
    if (auto begun = transaction.begin(); !begun) return tl::unexpected(begun.error());
    const auto full_at = read(name);
    if (!full_at) return tl::unexpected(full_at.error());
    std::int64_t debt = bucket.debt(*full_at, instant);
    const bool allowed = bucket.allows(debt);
    if (allowed) debt += bucket.interval;
    Status done = write(name, instant + debt);
    if (done && ++takes_ % kSweepEvery == 0) done = forget_full(instant);
    if (done) done = transaction.commit();
    if (!done) return tl::unexpected(done.error());
    return bucket.answer(allowed, debt);
  }

 private:
  Result<std::int64_t> read(std::string_view name) {
    Statement find(*database_, "SELECT full_at FROM bucket WHERE key=?");
    const auto found = find.blob(name).step();
    if (!found) return tl::unexpected(found.error());
    return *found ? find.next_number() : 0;
  }

  Status write(std::string_view name, std::int64_t full_at) {
    Statement store(*database_, "INSERT OR REPLACE INTO bucket VALUES(?,?)");
    return store.blob(name).number(full_at).finish();
  }

  // Full buckets are as good as none.
  Status forget_full(std::int64_t now) {
    Statement drop(*database_, "DELETE FROM bucket WHERE full_at<=?");
    return drop.number(now).finish();
  }

  std::mutex mutex_;
  std::unique_ptr<Database> database_;
  int takes_ = 0;
};

}  // namespace

Result<std::unique_ptr<Counters>> sqlite_counters(const std::string& path,
                                                  std::chrono::milliseconds patience) {
  auto database = Database::open(path, detail::Durability::process, patience);
  if (!database) return tl::unexpected(database.error());
  return std::make_unique<SqliteCounters>(*std::move(database));
}

}  // namespace enfold::store
