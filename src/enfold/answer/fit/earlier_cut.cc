// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/earlier_cut.h"

#include <algorithm>

namespace enfold::answer {
namespace {

// Appends to the warning about the earlier cut, if `shown` has one, the call that opens the rest on
// the server that made that cut.
void keep_way_back(const Cut& cut, const model::Reduction& earlier, model::Response& shown) {
  if (cut.detail > ReportDetail::all || earlier.way_back.empty()) return;
  const auto said = std::ranges::find(shown.warnings, "CONTENT_TRUNCATED", &model::Warning::code);
  if (said != shown.warnings.end()) said->message += ". " + earlier.way_back;
}

}  // namespace

std::string short_hash(const std::string& hash) {
  constexpr std::size_t digits = 4;
  return hash.substr(0, hash.find(':') + 1 + digits) + "...";
}

void add_earlier_cut(const Cut& cut, const model::Reduction& earlier, model::Reduction& now,
                     model::Response& shown) {
  keep_way_back(cut, earlier, shown);
  // Entries of `now.archive`, and of `now.columnar`, beyond which no earlier ones are added.
  constexpr std::size_t most = 3;
  now.level = std::max(now.level, earlier.level);
  for (const model::ArchiveEntry& entry : earlier.archive) {
    if (cut.detail >= ReportDetail::none || now.archive.size() > most) break;
    if (entry.handle.size() > kLongestHandle) continue;
    now.archive.push_back({entry.handle, short_hash(entry.hash)});
  }
  for (const std::string& place : earlier.columnar) {
    const auto& known = now.columnar;
    if (cut.detail >= ReportDetail::fewest || known.size() > most) break;
    if (std::find(known.begin(), known.end(), place) == known.end()) now.columnar.push_back(place);
  }
  if (!now.facts || !earlier.facts) return;
  json::Writer facts;
  facts.begin_object();
  for (const json::Member& member : now.facts->view().members()) {
    facts.key(member.key)
        .value(earlier.facts->view().find(member.key.string()).value_or(member.value));
  }
  now.facts = std::move(facts.end_object()).finish_value();
}

}  // namespace enfold::answer
