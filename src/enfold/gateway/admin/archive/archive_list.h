// SPDX-License-Identifier: Apache-2.0
// The entries of the archive, as the pages of the dashboard list them. The last lists are kept for
// a few seconds, because a page requests the same list again and again. May be used by several
// threads at the same time.
#pragma once

#include "enfold/store/archive.h"

#include <list>
#include <mutex>

namespace enfold::gateway {

struct OwnedEntry {
  std::string owner;
  store::Entry entry;
};
using OwnedEntries = std::vector<OwnedEntry>;

class ArchiveList {
 public:
  /// Entries of one owner beyond this number, the oldest, are not listed.
  static constexpr std::size_t kMaxCounted = 20'000;
  /// A list is used until the totals of the archive change, and no longer than this: some changes
  /// leave the totals as they are, for example a longer life of an entry.
  static constexpr std::chrono::seconds kMaxAge{5};

  /// `max_entries`: of all lists that are kept; a longer list is not kept.
  explicit ArchiveList(std::size_t max_entries = 100'000) : max_entries_(max_entries) {}

  struct Found {
    store::Statistics totals;  ///< of the whole archive
    std::shared_ptr<const OwnedEntries> entries;
  };
  /// The entries of these owners and this tool (empty: any), the newest first.
  [[nodiscard]] Result<Found> find(store::Archive& archive, const std::vector<std::string>& owners,
                                   const std::string& tool, store::Time now);
  /// Drops the lists that are too old to be used.
  void drop_old(store::Time now);

 private:
  static constexpr std::size_t kMaxLists = 8;
  struct Kept {
    std::vector<std::string> owners;
    std::string tool;
    store::Time read;
    Found found;
  };
  const std::size_t max_entries_;
  std::mutex mutex_;
  std::list<Kept> kept_;  ///< the newest first
};

}  // namespace enfold::gateway
