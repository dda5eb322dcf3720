// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/backend.h"
#include "enfold/store/stores.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <set>

namespace enfold::store {
namespace {

// What an answer needs after compression, if it is not very long.
constexpr std::uint64_t kUsualBytes = std::uint64_t{1} << 20;
// Between two attempts to move what is in memory into the archive.
constexpr std::chrono::seconds kMovePause{5};
// Of one job that moves entries, so that it does not keep a worker for long.
constexpr std::uint64_t kMostMovedBytes = std::uint64_t{4} << 20;
constexpr std::size_t kMostMovedEntries = 64;

constexpr auto kAll = std::numeric_limits<std::size_t>::max();

class MainAndSpare final : public ArchiveWithSpare,
                           public std::enable_shared_from_this<MainAndSpare> {
 public:
  MainAndSpare(std::shared_ptr<Archive> main, const ArchiveOptions& in_memory, RunLater run_later)
      : MainAndSpare(std::move(main), in_memory, std::move(run_later),
                     detail::memory_backend(in_memory, detail::WhenFull::refuse)) {}

  // Nothing runs while there is no room, so nothing is put, and the attempt to move an entry shows
  // whether the archive works again.
  bool has_room(std::string_view principal, Time now) override {
    if (!is_failing_ || rows_->has_room(detail::digest_of_parts({principal}), usual_bytes_))
      return true;
    move_later(now);
    return false;
  }

  // What is too large for the caps of `main` must not get around them.
  Result<Receipt> put(std::string_view principal, std::string_view bytes, const Meta& meta,
                      Time now) override {
    Result<Receipt> stored = main_->put(principal, bytes, meta, now);
    if (stored) {
      is_failing_ = false;
      move_later(now);
    }
    if (stored || stored.error().code == ErrorCode::limit_exceeded) return stored;
    is_failing_ = true;
    last_attempt_ = now;
    Result<Receipt> kept = spare_->put(principal, bytes, meta, now);
    if (!kept) return stored;
    const std::scoped_lock lock(mutex_);
    immovable_[std::string(principal)].erase(kept->handle);
    is_used_ = may_move_ = true;
    kept->is_volatile = true;
    return kept;
  }
  Result<std::string> get(std::string_view principal, std::string_view reference,
                          Time now) override {
    return in_either([&](Archive& it) { return it.get(principal, reference, now); });
  }
  Result<Entry> stat(std::string_view principal, std::string_view reference, Time now) override {
    return in_either([&](Archive& it) { return it.stat(principal, reference, now); });
  }
  Result<std::vector<Entry>> find(std::string_view principal, const Query& query,
                                  Time now) override {
    if (!is_used_) return main_->find(principal, query, now);
    auto found = spare_->find(principal, {.tool = query.tool, .limit = kAll}, now);
    if (!found || found->empty()) return main_->find(principal, query, now);
    const std::size_t needed = query.limit > kAll - query.skip ? kAll : query.skip + query.limit;
    auto others = main_->find(principal, {.tool = query.tool, .limit = needed}, now);
    if (others) std::ranges::move(*others, std::back_inserter(*found));
    // All have the same time to live, so the latest put expires last.
    std::ranges::stable_sort(*found, std::greater(), &Entry::expires);
    found->erase(found->begin(),
                 found->begin() + static_cast<std::ptrdiff_t>(std::min(query.skip, found->size())));
    if (found->size() > query.limit) found->resize(query.limit);
    return found;
  }
  Result<std::uint64_t> expire(Time now) override {
    (void)spare_->expire(now);  // in memory, which does not fail
    return main_->expire(now);
  }
  Result<Statistics> statistics() override { return main_->statistics(); }
  Health health() const override { return main_->health(); }
  Result<Verification> verify() override { return main_->verify(); }

 private:
  MainAndSpare(std::shared_ptr<Archive> main, const ArchiveOptions& in_memory, RunLater run_later,
               std::unique_ptr<detail::MemoryBackend> rows)
      : main_(std::move(main)),
        run_later_(std::move(run_later)),
        life_(in_memory.life),
        // An empty memory always has room, or nothing would show that the archive works again.
        usual_bytes_(
            std::min({kUsualBytes, in_memory.max_bytes, in_memory.max_bytes_per_principal})),
        rows_(rows.get()),
        spare_(detail::content_archive(std::move(rows), in_memory)) {}

  /// Starts a job that moves entries, if an attempt is due. May be called from any thread.
  void move_later(Time now) {
    const Time last = last_attempt_;
    if (!may_move_ || (last != kNever && now - last < kMovePause)) return;
    if (is_moving_.exchange(true)) return;
    last_attempt_ = now;
    run_mover(now);
  }
  void run_mover(Time now) {
    if (!run_later_([self = shared_from_this(), now] { self->move_some(now); })) is_moving_ = false;
  }

  // An entry leaves the memory only when the archive has it, under the handle that was announced.
  void move_some(Time now) {
    may_move_ = false;  // until something is put or left for the next job
    (void)spare_->expire(now);
    Budget budget;
    for (const std::string& principal : principals()) {
      if (!move_of(principal, now, budget)) {
        may_move_ = true;
        break;
      }
    }
    remove_empty();
    if (may_move_ && !is_failing_) return run_mover(now);
    is_moving_ = false;
  }
  struct Budget {
    std::uint64_t bytes = kMostMovedBytes;
    std::size_t entries = kMostMovedEntries;
  };
  /// False: the archive fails, or the budget of this job is used up.
  [[nodiscard]] bool move_of(const std::string& principal, Time now, Budget& budget) {
    auto entries = spare_->find(principal, {.tool = {}, .limit = kAll}, now);
    if (!entries) return true;
    std::ranges::reverse(*entries);  // the order of the archive is that of its puts
    for (const Entry& entry : *entries) {
      if (is_immovable(principal, entry.handle)) continue;
      if (budget.entries == 0 || budget.bytes == 0) return false;
      --budget.entries;
      budget.bytes -= std::min(budget.bytes, entry.size);
      const auto bytes = spare_->get(principal, entry.handle, now);
      if (!bytes) continue;  // expired meanwhile
      const auto moved = main_->put(principal, *bytes, entry.meta, entry.expires - life_);
      is_failing_ = !moved && moved.error().code != ErrorCode::limit_exceeded;
      if (is_failing_) return false;
      if (moved && moved->handle == entry.handle) {
        rows_->remove(detail::digest_of_parts({principal}), entry.handle);
      } else {
        // The archive has no room for it, or has the same bytes with another media type. It stays
        // in memory until it expires.
        const std::scoped_lock lock(mutex_);
        immovable_[principal].insert(entry.handle);
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<std::string> principals() {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, handles] : immovable_) names.push_back(name);
    return names;
  }
  [[nodiscard]] bool is_immovable(const std::string& principal, const std::string& handle) {
    const std::scoped_lock lock(mutex_);
    const auto found = immovable_.find(principal);
    return found != immovable_.end() && found->second.contains(handle);
  }
  void remove_empty() {
    const std::scoped_lock lock(mutex_);
    std::erase_if(immovable_, [&](const auto& one) {
      return rows_->is_empty(detail::digest_of_parts({one.first}));
    });
    is_used_ = !immovable_.empty();
  }

  // The memory first: what leaves it is in the archive already.
  template <class Use>
  std::invoke_result_t<Use, Archive&> in_either(const Use& use) {
    if (is_used_) {
      if (auto kept = use(*spare_)) return kept;
    }
    return use(*main_);
  }

  static constexpr Time kNever = Time::min();

  std::shared_ptr<Archive> main_;
  RunLater run_later_;
  std::chrono::seconds life_;
  std::uint64_t usual_bytes_;
  detail::MemoryBackend* rows_;  ///< of `spare_`
  std::unique_ptr<Archive> spare_;
  std::mutex mutex_;  ///< for the next member
  /// By principal that has something in memory: the handles that cannot be moved.
  std::map<std::string, std::set<std::string>> immovable_;
  std::atomic<bool> is_used_ = false;     ///< something is in memory
  std::atomic<bool> may_move_ = false;    ///< something in memory was not tried, or failed
  std::atomic<bool> is_moving_ = false;   ///< a job waits or runs
  std::atomic<bool> is_failing_ = false;  ///< the last put into `main_` failed
  std::atomic<Time> last_attempt_ = kNever;
};

}  // namespace

std::shared_ptr<ArchiveWithSpare> archive_with_spare(std::shared_ptr<Archive> main,
                                                     const ArchiveOptions& in_memory,
                                                     RunLater run_later) {
  return std::make_shared<MainAndSpare>(std::move(main), in_memory, std::move(run_later));
}

}  // namespace enfold::store
