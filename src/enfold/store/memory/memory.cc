// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/backend.h"
#include "enfold/store/stores.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace enfold::store {
namespace {

using detail::Digest;
using detail::Item;
using detail::Row;

/// Identifies the content of one owner: hash and media type.
using ContentKey = std::pair<Digest, std::string>;

ContentKey key_of(const Row& row) { return {row.hash, row.meta.media_type}; }

class RowsInMemory final : public detail::MemoryBackend {
 public:
  RowsInMemory(const ArchiveOptions& options, detail::WhenFull when_full)
      : options_(options), when_full_(when_full) {}

  Result<Row> put(const detail::PutRequest& request) override {
    std::string data(request.data);  // may be long, so it is copied without the lock
    const std::scoped_lock lock(mutex_);
    (void)drop_expired(request.now, detail::kExpiredPerPut);
    while (stored_ + request.row.stored > options_.max_bytes &&
           drop_expired(request.now, detail::kExpiredPerStep) > 0) {
    }
    if (!may_add(request)) return detail::no_room(share_with(request.owner));
    Row row = request.row;
    Owner& owner = owners_[request.owner];
    const ContentKey key = key_of(row);
    if (const auto old = owner.items.find(key); old != owner.items.end()) {
      row.handle = old->second.row.handle;
      if (old->second.row.expires > request.now) {
        row.created = old->second.row.created;
        row.expires = std::max(row.expires, old->second.row.expires);
      }
      drop(request.owner, key, Empty::keep);
    } else {
      for (const std::string& handle : request.handles) {
        if (owner.handles.contains(handle)) continue;
        row.handle = handle;
        break;
      }
      if (row.handle.empty()) {
        if (owner.items.empty()) owners_.erase(request.owner);
        return detail::no_free_handle();
      }
    }
    const std::uint64_t sequence = ++sequence_;
    owner.handles[row.handle] = key;
    owner.order[sequence] = key;
    hold(request.owner, owner, owner.stored + row.stored);
    by_expiry_[{row.expires, sequence}] = {request.owner, key};
    size_ += row.size;
    owner.items[key] = {row, std::move(data), sequence};
    while (owner.stored > options_.max_bytes_per_principal ||
           owner.items.size() > options_.max_entries_per_principal) {
      drop(request.owner, ContentKey(owner.order.begin()->second), Empty::keep);
    }
    evict_of_all(request.owner, owner);
    return row;
  }

  Result<std::optional<Item>> find(const Digest& owner, const detail::Reference& reference,
                                   Want want, Time now) override {
    const std::scoped_lock lock(mutex_);
    const auto holder = owners_.find(owner);
    if (holder == owners_.end()) return std::nullopt;
    const Content* content = find_content(holder->second, reference);
    if (content == nullptr || content->row.expires <= now) return std::nullopt;
    Item item{content->row, std::nullopt};
    if (want == Want::content) item.data = content->data;
    return item;
  }

  Result<Page> list(const Digest& owner, std::size_t skip, std::size_t limit, Time now) override {
    const std::scoped_lock lock(mutex_);
    Page page;
    const auto holder = owners_.find(owner);
    if (holder == owners_.end()) return page;
    const auto& order = holder->second.order;
    std::size_t rank = 0;
    for (auto at = order.rbegin(); at != order.rend(); ++at, ++rank) {
      if (rank < skip) continue;
      page.is_last = rank < skip + limit;
      if (!page.is_last) break;
      const Row& row = holder->second.items.at(at->second).row;
      if (row.expires > now) page.rows.push_back(row);
    }
    return page;
  }

  Result<std::uint64_t> expire(Time now) override {
    std::uint64_t removed = 0;
    for (;;) {
      const std::scoped_lock lock(mutex_);
      const std::size_t count = drop_expired(now, detail::kExpiredPerStep);
      removed += count;
      if (count < detail::kExpiredPerStep) return removed;
    }
  }

  Result<Statistics> statistics() override {
    const std::scoped_lock lock(mutex_);
    Statistics statistics;
    statistics.principals = owners_.size();
    statistics.entries = by_expiry_.size();
    statistics.bytes = size_;
    statistics.stored_bytes = stored_;
    statistics.warnings.emplace_back("the archive is in memory: no handle outlives this process");
    return statistics;
  }

  bool has_room(const Digest& owner, std::uint64_t stored) override {
    const std::scoped_lock lock(mutex_);
    return fits(owner, 1, stored);
  }

  bool is_empty(const Digest& owner) override {
    const std::scoped_lock lock(mutex_);
    return !owners_.contains(owner);
  }

  void remove(const Digest& owner, const std::string& handle) override {
    const std::scoped_lock lock(mutex_);
    const auto holder = owners_.find(owner);
    if (holder == owners_.end()) return;
    const auto named = holder->second.handles.find(handle);
    if (named != holder->second.handles.end()) drop(owner, ContentKey(named->second));
  }

  Status for_each(const Callback& callback) override {
    const std::scoped_lock lock(mutex_);
    for (const auto& [digest, owner] : owners_) {
      for (const auto& [key, content] : owner.items) callback(digest, {content.row, content.data});
    }
    return {};
  }

 private:
  struct Content {
    Row row;
    std::string data;
    std::uint64_t sequence = 0;  ///< number of the last put
  };
  struct Owner {
    std::map<ContentKey, Content> items;
    std::map<std::string, ContentKey> handles;
    std::map<std::uint64_t, ContentKey> order;  ///< by sequence
    std::uint64_t stored = 0;                   ///< bytes
  };
  enum class Empty { remove, keep };  ///< whether drop() removes an owner without entries

  /// nullptr: there is none. It may have expired.
  static const Content* find_content(const Owner& owner, const detail::Reference& reference) {
    if (!reference.hash) {
      const auto named = owner.handles.find(reference.handle);
      return named != owner.handles.end() ? &owner.items.at(named->second) : nullptr;
    }
    const Content* newest = nullptr;
    for (auto at = owner.items.lower_bound({*reference.hash, {}});
         at != owner.items.end() && at->first.first == *reference.hash; ++at) {
      if (newest == nullptr || at->second.sequence > newest->sequence) newest = &at->second;
    }
    return newest;
  }

  /// Removes an entry of the owner with this digest.
  void drop(const Digest& digest, const ContentKey& key, Empty empty = Empty::remove) {
    Owner& owner = owners_.at(digest);
    const auto at = owner.items.find(key);
    const Content& item = at->second;
    owner.handles.erase(item.row.handle);
    owner.order.erase(item.sequence);
    by_expiry_.erase({item.row.expires, item.sequence});
    hold(digest, owner, owner.stored - item.row.stored);
    size_ -= item.row.size;
    owner.items.erase(at);
    if (empty == Empty::remove && owner.items.empty()) {
      by_stored_.erase({~owner.stored, digest});
      owners_.erase(digest);
    }
  }

  /// Sets Owner::stored, and updates the total and `by_stored_`.
  void hold(const Digest& digest, Owner& owner, std::uint64_t stored) {
    stored_ = stored_ - owner.stored + stored;
    by_stored_.erase({~owner.stored, digest});
    owner.stored = stored;
    by_stored_.insert({~owner.stored, digest});
  }

  /// The bytes of an equal share for each principal, this one included.
  [[nodiscard]] std::uint64_t share_with(const Digest& owner) const {
    return options_.max_bytes / (owners_.size() + (owners_.contains(owner) ? 0 : 1));
  }

  /// Whether that much more of this owner fits into the caps without an eviction.
  [[nodiscard]] bool fits(const Digest& digest, std::size_t entries, std::uint64_t stored) const {
    const auto found = owners_.find(digest);
    const bool is_new = found == owners_.end();
    const std::uint64_t own_entries = is_new ? 0 : found->second.items.size();
    const std::uint64_t own_stored = is_new ? 0 : found->second.stored;
    return own_entries + entries <= options_.max_entries_per_principal &&
           own_stored + stored <= options_.max_bytes_per_principal &&
           stored_ + stored <= options_.max_bytes;
  }

  [[nodiscard]] bool may_add(const detail::PutRequest& request) const {
    if (when_full_ == detail::WhenFull::evict) return fits_after_eviction(request);
    const auto owner = owners_.find(request.owner);
    const bool is_known =
        owner != owners_.end() && owner->second.items.contains(key_of(request.row));
    return is_known || fits(request.owner, 1, request.row.stored);
  }

  // What is no larger than a share always has room, because others hold no more than theirs after
  // an eviction.
  [[nodiscard]] bool fits_after_eviction(const detail::PutRequest& request) const {
    const std::uint64_t share = share_with(request.owner);
    if (request.row.stored <= share) return true;
    std::uint64_t taken = request.row.stored;
    for (const auto& [digest, owner] : owners_) {
      if (digest != request.owner) taken += std::min(owner.stored, share);
    }
    return taken <= options_.max_bytes;
  }

  // Evicts until max_bytes is met. A principal that holds more than an equal share loses its oldest
  // entries: first the owner of the new entry, so that many puts of one principal cost others
  // nothing, then the principal that holds most.
  void evict_of_all(const Digest& digest, Owner& owner) {
    while (stored_ > options_.max_bytes) {
      if (owner.stored > share_with(digest) && owner.items.size() > 1) {
        drop(digest, ContentKey(owner.order.begin()->second), Empty::keep);
        continue;
      }
      auto largest = by_stored_.begin();
      if (largest->second == digest) ++largest;
      const Digest victim = largest->second;
      drop(victim, ContentKey(owners_.at(victim).order.begin()->second));
    }
  }

  /// Removes at most `most` expired entries; returns their number.
  std::size_t drop_expired(Time now, std::size_t most) {
    std::size_t count = 0;
    for (; count < most && !by_expiry_.empty(); ++count) {
      const auto first = by_expiry_.begin();
      if (first->first.first > now) break;
      const auto [owner, key] = first->second;
      drop(owner, key);
    }
    return count;
  }

  ArchiveOptions options_;
  detail::WhenFull when_full_;
  std::mutex mutex_;
  std::map<Digest, Owner> owners_;
  /// Complement of the stored bytes, and owner: the owner that holds most is first.
  std::set<std::pair<std::uint64_t, Digest>> by_stored_;
  /// Owner and content by expiry and sequence.
  std::map<std::pair<Time, std::uint64_t>, std::pair<Digest, ContentKey>> by_expiry_;
  std::uint64_t sequence_ = 0;  ///< of the last put
  std::uint64_t stored_ = 0;    ///< bytes of all entries as they are stored
  std::uint64_t size_ = 0;      ///< bytes of all entries before compression
};

class MemoryCounters final : public Counters {
 public:
  Result<RateDecision> take(const BucketKey& key, RateLimit limit, Instant now) override {
    if (limit.per_minute == 0) return RateDecision{};
    const detail::Bucket bucket(limit);
    const std::int64_t instant = now.time_since_epoch().count();
    const std::scoped_lock lock(mutex_);
    remove_full(instant);
    std::int64_t& full_at = full_at_[detail::digest_of_parts({key.principal, key.tool})];
    std::int64_t debt = bucket.debt(full_at, instant);
    const bool allowed = bucket.allows(debt);
    if (allowed) debt += bucket.interval;
    full_at = instant + debt;
    return bucket.answer(allowed, debt);
  }

 private:
  // Full buckets are removed whenever the number of buckets has doubled: a missing bucket counts as
  // full.
  void remove_full(std::int64_t now) {
    if (full_at_.size() < clean_up_at_) return;
    std::erase_if(full_at_, [now](const auto& item) { return item.second <= now; });
    clean_up_at_ = std::max<std::size_t>(1024, 2 * full_at_.size());
  }

  std::mutex mutex_;
  std::map<Digest, std::int64_t> full_at_;  ///< by bucket, see detail::Bucket
  std::size_t clean_up_at_ = 1024;          ///< number of buckets from which remove_full() works
};

}  // namespace

std::unique_ptr<detail::MemoryBackend> detail::memory_backend(const ArchiveOptions& options,
                                                              WhenFull when_full) {
  return std::make_unique<RowsInMemory>(options, when_full);
}

std::unique_ptr<Archive> memory_archive(const ArchiveOptions& options) {
  return detail::content_archive(detail::memory_backend(options), options);
}

std::unique_ptr<Counters> memory_counters() { return std::make_unique<MemoryCounters>(); }

}  // namespace enfold::store
