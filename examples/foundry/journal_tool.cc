// SPDX-License-Identifier: Apache-2.0
#include "tools.h"

#include <algorithm>
#include <iterator>

namespace foundry {
namespace {

Answer<JournalAnswer> list(const Spec& spec, const JournalCall& asked, Context& context) {
  std::vector<Entry> matching;
  std::copy_if(
      spec.journal.rbegin(), spec.journal.rend(), std::back_inserter(matching),
      [&](const Entry& entry) { return !asked.task_id || entry.task_id == *asked.task_id; });
  return page_of(matching, asked, context, &EntryList::entries, &EntryList::total_count);
}

// Notes are welcome on completed specifications too.
Answer<JournalAnswer> add(const Desk& desk, Spec spec, const JournalCall& asked, Context& context) {
  if (!asked.note) return missing("note", "add");
  spec.record(context.principal(), "note", asked.task_id.value_or(""), *asked.note);
  if (Status done = desk.folder->save(spec); !done) return tl::unexpected(done.error());
  return EntryAdded{spec.journal.back()};
}

}  // namespace

Answer<JournalAnswer> journal(const Desk& desk, const JournalCall& asked, Context& context) {
  const bool adds = asked.action == JournalAction::add;
  const auto kind = adds ? FileLock::Kind::exclusive : FileLock::Kind::shared;
  return with_spec<JournalAnswer>(
      desk, context, asked.spec_id, kind, [&](const Spec& spec) -> Answer<JournalAnswer> {
        if (asked.task_id && spec.find(*asked.task_id) == nullptr) {
          return task_not_found(spec, *asked.task_id);
        }
        return adds ? add(desk, spec, asked, context) : list(spec, asked, context);
      });
}

}  // namespace foundry
