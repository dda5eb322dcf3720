// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/archive/archive_list.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

Result<OwnedEntries> read_entries(store::Archive& archive, const std::vector<std::string>& owners,
                                  const std::string& tool, store::Time now) {
  OwnedEntries all;
  for (const std::string& owner : owners) {
    ENFOLD_TRY(std::vector<store::Entry> found,
               archive.find(owner, {.tool = tool, .limit = ArchiveList::kMaxCounted}, now));
    for (store::Entry& entry : found) all.push_back({owner, std::move(entry)});
  }
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const OwnedEntry& one) { return one.entry.created; });
  return all;
}

// Whether nothing was added to the archive or removed from it in between.
bool are_same(const store::Statistics& a, const store::Statistics& b) {
  return a.entries == b.entries && a.bytes == b.bytes && a.stored_bytes == b.stored_bytes;
}

// A list is old, too, if the clock was set back since.
bool is_old(store::Time read, store::Time now) {
  return read > now || now - read > ArchiveList::kMaxAge;
}

}  // namespace

void ArchiveList::drop_old(store::Time now) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(kept_, [&](const Kept& one) { return is_old(one.read, now); });
}

Result<ArchiveList::Found> ArchiveList::find(store::Archive& archive,
                                             const std::vector<std::string>& owners,
                                             const std::string& tool, store::Time now) {
  ENFOLD_TRY(store::Statistics totals, archive.statistics());
  const auto is_wanted = [&](const Kept& one) { return one.owners == owners && one.tool == tool; };
  drop_old(now);
  {
    const std::scoped_lock lock(mutex_);
    const auto kept = std::ranges::find_if(kept_, is_wanted);
    if (kept != kept_.end() && are_same(kept->found.totals, totals)) return kept->found;
  }
  ENFOLD_TRY(OwnedEntries entries, read_entries(archive, owners, tool, now));
  Found found{std::move(totals), std::make_shared<const OwnedEntries>(std::move(entries))};
  const std::scoped_lock lock(mutex_);
  kept_.remove_if(is_wanted);
  kept_.push_front({owners, tool, now, found});
  std::size_t lists = 0;
  std::size_t sum = 0;
  kept_.remove_if([&](const Kept& one) {
    sum += one.found.entries->size();
    return ++lists > kMaxLists || sum > max_entries_;
  });
  return found;
}

}  // namespace enfold::gateway
