// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/stores.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <set>
#include <shared_mutex>

namespace enfold::store {
namespace {

// Room that an answer needs after compression, if it is not very long.
constexpr std::uint64_t kUsualBytes = std::uint64_t{1} << 20;
// Without room, a call runs so long after the last failure and tries the archive again.
constexpr std::chrono::seconds kTryAgain{5};

class MainAndSpare final : public ArchiveWithSpare {
 public:
  MainAndSpare(std::shared_ptr<Archive> main, const ArchiveOptions& in_memory)
      : main_(std::move(main)), caps_(in_memory), spare_(memory_archive(in_memory)) {}

  bool has_room(std::string_view principal, Time now) const override {
    const Time failed = last_failure_;
    if (failed == kNever || now - failed >= kTryAgain) return true;
    const std::shared_lock lock(in_memory_, std::try_to_lock);  // must not wait
    return !lock || fits(principal, kUsualBytes, now);
  }

  // What is too large for the caps of `main` must not get around them.
  Result<Receipt> put(std::string_view principal, std::string_view bytes, const Meta& meta,
                      Time now) override {
    Result<Receipt> stored = main_->put(principal, bytes, meta, now);
    if (stored) {
      last_failure_ = kNever;
      if (is_used_) move_to_main(now);
    }
    if (stored || stored.error().code == ErrorCode::limit_exceeded) return stored;
    last_failure_ = now;
    const std::unique_lock lock(in_memory_);
    if (!fits(principal, bytes.size(), now)) return stored;
    Result<Receipt> kept = spare_->put(principal, bytes, meta, now);
    if (!kept) return stored;
    principals_.emplace(principal);
    is_used_ = true;
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
    return main_->find(principal, query, now);
  }
  Result<std::uint64_t> expire(Time now) override {
    {
      const std::unique_lock lock(in_memory_);
      (void)spare_->expire(now);  // in memory, which does not fail
    }
    return main_->expire(now);
  }
  Result<Statistics> statistics() override { return main_->statistics(); }
  Health health() const override { return main_->health(); }
  Result<Verification> verify() override { return main_->verify(); }

 private:
  static constexpr Time kNever = Time::min();

  // With `in_memory_` locked.
  [[nodiscard]] bool fits(std::string_view principal, std::uint64_t bytes, Time now) const {
    const auto own = spare_->find(
        principal, {.tool = {}, .limit = std::numeric_limits<std::size_t>::max()}, now);
    const auto all = spare_->statistics();
    if (!own || !all || own->size() >= caps_.max_entries_per_principal) return false;
    std::uint64_t used = 0;
    for (const Entry& entry : *own) used += entry.stored_size;
    return used + bytes <= caps_.max_bytes_per_principal &&
           all->stored_bytes + bytes <= caps_.max_bytes;
  }

  // The archive works again: what is in memory is put there, where it has the same handles.
  void move_to_main(Time now) {
    const std::unique_lock lock(in_memory_, std::try_to_lock);
    if (!lock) return;  // another thread does it
    for (const std::string& principal : principals_) {
      if (!move_of(principal, now)) return;
    }
    spare_ = memory_archive(caps_);
    principals_.clear();
    is_used_ = false;
  }
  // False: something has to stay in memory.
  [[nodiscard]] bool move_of(const std::string& principal, Time now) {
    const auto entries = spare_->find(
        principal, {.tool = {}, .limit = std::numeric_limits<std::size_t>::max()}, now);
    if (!entries) return false;
    for (const Entry& entry : *entries) {
      const auto bytes = spare_->get(principal, entry.handle, now);
      const auto moved = bytes ? main_->put(principal, *bytes, entry.meta, now)
                               : Result<Receipt>(tl::unexpected(bytes.error()));
      if (!moved || moved->handle != entry.handle) return false;
    }
    return true;
  }

  template <class Use>
  std::invoke_result_t<Use, Archive&> in_either(const Use& use) {
    const bool was_used = is_used_;
    auto found = use(*main_);
    if (found) return found;
    const std::shared_lock lock(in_memory_);
    auto kept = use(*spare_);
    if (kept) return kept;
    // It may have been moved since.
    return was_used && !is_used_ ? use(*main_) : std::move(found);
  }

  std::shared_ptr<Archive> main_;
  ArchiveOptions caps_;                  ///< of `spare_`
  mutable std::shared_mutex in_memory_;  ///< for the next two
  std::unique_ptr<Archive> spare_;
  std::set<std::string, std::less<>> principals_;  ///< that have something in `spare_`
  std::atomic<bool> is_used_ = false;              ///< `spare_` has something
  std::atomic<Time> last_failure_ = kNever;
};

}  // namespace

std::unique_ptr<ArchiveWithSpare> archive_with_spare(std::shared_ptr<Archive> main,
                                                     const ArchiveOptions& in_memory) {
  return std::make_unique<MainAndSpare>(std::move(main), in_memory);
}

}  // namespace enfold::store
