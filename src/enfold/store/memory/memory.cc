// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/memory/memory.h"

#include "enfold/store/detail/backend.h"
#include "enfold/store/detail/bucket.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace enfold::store {
namespace {

using detail::Digest;
using detail::Held;
using detail::Row;

/// What tells the contents of one owner apart: their bytes, and what they are to be read as.
using ContentKey = std::pair<Digest, std::string>;

ContentKey key_of(const Row& row) { return {row.hash, row.meta.media_type}; }

class MemoryBackend final : public detail::Backend {
 public:
  explicit MemoryBackend(const ArchiveOptions& options) : options_(options) {}

  Result<Row> place(const detail::Placement& placement) override {
    const std::scoped_lock lock(mutex_);
    drop_expired(placement.owner, placement.now);
    Row row = placement.row;
    Owner& owner = owners_[placement.owner];
    const ContentKey key = key_of(row);
    if (const auto old = owner.items.find(key); old != owner.items.end()) {
      row.handle = old->second.row.handle;
      row.created = old->second.row.created;
      row.expires = std::max(row.expires, old->second.row.expires);
      drop(placement.owner, key, Keep::owner);
    } else {
      for (const std::string& handle : placement.handles) {
        if (owner.handles.contains(handle)) continue;
        row.handle = handle;
        break;
      }
      if (row.handle.empty()) return detail::no_free_handle();
    }
    const std::uint64_t sequence = ++sequence_;
    owner.handles[row.handle] = key;
    owner.order[sequence] = key;
    owner.stored += row.stored;
    order_[sequence] = {placement.owner, key};
    stored_ += row.stored;
    owner.items[key] = {row, std::string(placement.data), sequence};
    while (owner.stored > options_.max_bytes_per_principal) {
      drop(placement.owner, ContentKey(owner.order.begin()->second), Keep::owner);
    }
    while (stored_ > options_.max_bytes) {
      const auto oldest = order_.begin()->second;
      drop(oldest.first, oldest.second);
    }
    return row;
  }

  Result<std::optional<Held>> look(const Digest& owner, const detail::Reference& reference,
                                   Want want) override {
    const std::scoped_lock lock(mutex_);
    const auto holder = owners_.find(owner);
    if (holder == owners_.end()) return std::nullopt;
    const Item* item = find(holder->second, reference);
    if (item == nullptr) return std::nullopt;
    Held held{item->row, std::nullopt};
    if (want == Want::content) held.data = item->data;
    return held;
  }

  Result<std::vector<Row>> newest(const Digest& owner, std::size_t skip,
                                  std::size_t limit) override {
    const std::scoped_lock lock(mutex_);
    std::vector<Row> rows;
    const auto holder = owners_.find(owner);
    if (holder == owners_.end()) return rows;
    const auto& order = holder->second.order;
    for (auto at = order.rbegin(); at != order.rend() && rows.size() < limit; ++at) {
      if (skip > 0) {
        --skip;
      } else {
        rows.push_back(holder->second.items.at(at->second).row);
      }
    }
    return rows;
  }

  Result<std::uint64_t> expire(Time now) override {
    const std::scoped_lock lock(mutex_);
    std::uint64_t removed = 0;
    for (auto at = owners_.begin(); at != owners_.end();) {
      const Digest owner = at->first;
      ++at;
      removed += drop_expired(owner, now);
    }
    return removed;
  }

  Result<Statistics> statistics() override {
    const std::scoped_lock lock(mutex_);
    Statistics statistics;
    for (const auto& [digest, owner] : owners_) {
      if (!owner.items.empty()) ++statistics.principals;
      statistics.entries += owner.items.size();
      for (const auto& [key, item] : owner.items) statistics.bytes += item.row.size;
    }
    statistics.stored_bytes = stored_;
    statistics.warnings.emplace_back("the archive is in memory: no handle outlives this process");
    return statistics;
  }

  Status visit(const Visitor& visitor) override {
    const std::scoped_lock lock(mutex_);
    for (const auto& [digest, owner] : owners_) {
      for (const auto& [key, item] : owner.items) visitor(digest, {item.row, item.data});
    }
    return {};
  }

 private:
  struct Item {
    Row row;
    std::string data;
    std::uint64_t sequence = 0;
  };
  struct Owner {
    std::map<ContentKey, Item> items;
    std::map<std::string, ContentKey> handles;
    std::map<std::uint64_t, ContentKey> order;
    std::uint64_t stored = 0;
  };
  enum class Keep { nothing, owner };

  static const Item* find(const Owner& owner, const detail::Reference& reference) {
    if (!reference.hash) {
      const auto named = owner.handles.find(reference.handle);
      return named != owner.handles.end() ? &owner.items.at(named->second) : nullptr;
    }
    const Item* newest = nullptr;
    for (auto at = owner.items.lower_bound({*reference.hash, {}});
         at != owner.items.end() && at->first.first == *reference.hash; ++at) {
      if (newest == nullptr || at->second.sequence > newest->sequence) newest = &at->second;
    }
    return newest;
  }

  void drop(const Digest& digest, const ContentKey& key, Keep keep = Keep::nothing) {
    Owner& owner = owners_.at(digest);
    const auto at = owner.items.find(key);
    const Item& item = at->second;
    owner.handles.erase(item.row.handle);
    owner.order.erase(item.sequence);
    order_.erase(item.sequence);
    owner.stored -= item.row.stored;
    stored_ -= item.row.stored;
    owner.items.erase(at);
    if (keep == Keep::nothing && owner.items.empty()) owners_.erase(digest);
  }

  std::uint64_t drop_expired(const Digest& digest, Time now) {
    const auto owner = owners_.find(digest);
    if (owner == owners_.end()) return 0;
    std::vector<ContentKey> gone;
    for (const auto& [key, item] : owner->second.items) {
      if (item.row.expires <= now) gone.push_back(key);
    }
    for (const ContentKey& key : gone) drop(digest, key);
    return gone.size();
  }

  ArchiveOptions options_;
  std::mutex mutex_;
  std::map<Digest, Owner> owners_;
  std::map<std::uint64_t, std::pair<Digest, ContentKey>> order_;  ///< by age, of all owners
  std::uint64_t sequence_ = 0;
  std::uint64_t stored_ = 0;
};

class MemoryCounters final : public Counters {
 public:
  Result<Taken> take(const BucketKey& key, RateLimit limit, Instant now) override {
    if (limit.per_minute == 0) return Taken{};
    const detail::Bucket bucket(limit);
    const std::int64_t instant = now.time_since_epoch().count();
    const std::scoped_lock lock(mutex_);
    forget_full(instant);
    std::int64_t& full_at = full_at_[detail::digest_of_parts({key.principal, key.tool})];
    std::int64_t debt = bucket.debt(full_at, instant);
    const bool allowed = bucket.allows(debt);
    if (allowed) debt += bucket.interval;
    full_at = instant + debt;
    return bucket.answer(allowed, debt);
  }

 private:
  // Full buckets are as good as none; whenever their number has doubled they are swept.
  void forget_full(std::int64_t now) {
    if (full_at_.size() < sweep_at_) return;
    std::erase_if(full_at_, [now](const auto& item) { return item.second <= now; });
    sweep_at_ = std::max<std::size_t>(1024, 2 * full_at_.size());
  }

  std::mutex mutex_;
  std::map<Digest, std::int64_t> full_at_;
  std::size_t sweep_at_ = 1024;
};

}  // namespace

std::unique_ptr<detail::Backend> detail::memory_backend(const ArchiveOptions& options) {
  return std::make_unique<MemoryBackend>(options);
}

std::unique_ptr<Archive> memory_archive(const ArchiveOptions& options) {
  return detail::content_archive(detail::memory_backend(options), options);
}

std::unique_ptr<Counters> memory_counters() { return std::make_unique<MemoryCounters>(); }

}  // namespace enfold::store
