// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/fit/earlier_cut.h"

#include "enfold/json/pointer.h"
#include "enfold/model/marks.h"

#include <algorithm>

namespace enfold::answer {
namespace {

// The warning about an earlier cut leads to the archive of the server that made it.
void keep_way_back(const Cut& cut, const model::Reduction& earlier, model::Response& shown) {
  if (cut.words > Words::all || earlier.way_back.empty()) return;
  const auto said = std::ranges::find(shown.warnings, "CONTENT_TRUNCATED", &model::Warning::code);
  if (said != shown.warnings.end()) said->message += ". " + earlier.way_back;
}

// The list at a place of the payload, also if it is shown as a table; its place in `pointer`.
std::optional<json::View> list_at(json::View payload, json::Pointer& pointer) {
  const auto found = pointer.resolve(payload);
  if (!found || found->is_array()) return found;
  pointer = pointer / "rows";
  const auto rows = pointer.resolve(payload);
  return rows && rows->is_array() ? rows : std::nullopt;
}

// A server whose schema allows no marks leaves items out without one. Adds them to the last mark of
// their list.
void count_losses(const model::Reduction& earlier, model::Response& shown) {
  if (!earlier.facts || !shown.payload) return;
  std::vector<json::Change> changes;
  for (const json::Member& fact : earlier.facts->view().members()) {
    const auto counted = fact.value.find("count");
    const auto whole = counted ? counted->integer() : std::nullopt;
    Result<json::Pointer> pointer = json::Pointer::parse(fact.key.string());
    if (!whole || !pointer) continue;
    const auto list = list_at(shown.payload->view(), *pointer);
    if (!list || !list->is_array()) continue;
    const std::size_t known = model::count_with_marks(*list, 0, list->size());
    std::size_t last = list->size();
    while (last > 0 && !model::marked_items(*list->item(last - 1))) --last;
    if (last == 0 || static_cast<std::size_t>(std::max<std::int64_t>(*whole, 0)) <= known) continue;
    const json::View mark = *list->item(last - 1);
    const std::size_t more = static_cast<std::size_t>(*whole) - known;
    changes.push_back({(*pointer / std::to_string(last - 1)).str(), json::Value(mark),
                       json::string_value(model::items_mark(*model::marked_items(mark) + more))});
  }
  if (!changes.empty()) shown.payload = json::apply(shown.payload->view(), changes);
}

}  // namespace

std::string short_hash(const std::string& hash) {
  constexpr std::size_t digits = 4;
  return hash.substr(0, hash.find(':') + 1 + digits) + "...";
}

void add_earlier_cut(const Cut& cut, const model::Reduction& earlier, model::Reduction& now,
                     model::Response& shown) {
  keep_way_back(cut, earlier, shown);
  count_losses(earlier, shown);
  constexpr std::size_t most = 3;  // earlier handles, and earlier places of tables
  now.level = std::max(now.level, earlier.level);
  for (const model::ArchiveEntry& entry : earlier.archive) {
    if (cut.words >= Words::none || now.archive.size() > most) break;
    if (entry.handle.size() > kLongestHandle) continue;
    now.archive.push_back({entry.handle, short_hash(entry.hash)});
  }
  for (const std::string& place : earlier.columnar) {
    const auto& known = now.columnar;
    if (cut.words >= Words::fewest || known.size() > most) break;
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
