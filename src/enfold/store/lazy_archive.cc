// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/backend.h"
#include "enfold/store/stores.h"

#include <mutex>

namespace enfold::store {
namespace {

class LazyArchive final : public Archive {
 public:
  explicit LazyArchive(OpenArchive open) : open_(std::move(open)) {}

  Result<Receipt> put(std::string_view principal, std::string_view bytes, const Meta& meta,
                      Time now) override {
    return with([&](Archive& it) { return it.put(principal, bytes, meta, now); });
  }
  Result<std::string> get(std::string_view principal, std::string_view reference,
                          Time now) override {
    return with([&](Archive& it) { return it.get(principal, reference, now); });
  }
  Result<Entry> stat(std::string_view principal, std::string_view reference, Time now) override {
    return with([&](Archive& it) { return it.stat(principal, reference, now); });
  }
  Result<std::vector<Entry>> find(std::string_view principal, const Query& query,
                                  Time now) override {
    return with([&](Archive& it) { return it.find(principal, query, now); });
  }
  Result<std::uint64_t> expire(Time now) override {
    return with([&](Archive& it) { return it.expire(now); });
  }
  Result<Statistics> statistics() override {
    return with([](Archive& it) { return it.statistics(); });
  }
  Health health() const override {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock && archive_ ? archive_->health() : failures_.health();
  }
  Result<Verification> verify() override {
    return with([](Archive& it) { return it.verify(); });
  }

 private:
  template <class Use>
  std::invoke_result_t<Use, Archive&> with(const Use& use) {
    ENFOLD_TRY(Archive* const it, opened());
    return use(*it);
  }

  // Once open, the archive stays open until destruction, so it is used without the lock.
  Result<Archive*> opened() {
    const std::lock_guard lock(mutex_);
    if (!archive_) {
      ENFOLD_TRY(archive_, failures_.note(open_()));
    }
    return archive_.get();
  }

  OpenArchive open_;
  mutable std::mutex mutex_;
  std::unique_ptr<Archive> archive_;  ///< nullptr: not opened yet
  detail::Failures failures_;         ///< of opening the archive
};

}  // namespace

std::unique_ptr<Archive> lazy_archive(OpenArchive open) {
  return std::make_unique<LazyArchive>(std::move(open));
}

}  // namespace enfold::store
