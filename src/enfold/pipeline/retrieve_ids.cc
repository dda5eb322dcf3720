// SPDX-License-Identifier: Apache-2.0
#include "enfold/pipeline/retrieve_ids.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace enfold::pipeline {
namespace {

/// A record with a member (or, of a list of scalars, itself) whose text was asked for.
struct Hit {
  std::size_t wanted;
  std::size_t record;
  std::string member;
};

using Wanted = std::unordered_map<std::string, std::size_t>;

std::optional<std::string> id_text(json::View value) {
  if (value.is_string()) return value.string();
  if (value.is_number()) return std::string(value.number());
  return std::nullopt;
}

void note(json::View value, std::string member, std::size_t record, const Wanted& wanted,
          std::vector<Hit>& hits) {
  const auto text = id_text(value);
  if (!text) return;
  if (const auto at = wanted.find(*text); at != wanted.end()) {
    hits.push_back({at->second, record, std::move(member)});
  }
}

std::vector<Hit> hits_in(const RecordList& list, const std::vector<Place>& records,
                         const Wanted& wanted) {
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (list.kind == RecordList::Kind::members) {
      const json::Pointer pointer = json::Pointer::parse(records[i].pointer).value();
      if (const auto at = wanted.find(pointer.tokens().back()); at != wanted.end()) {
        hits.push_back({at->second, i, "id"});
      }
    } else if (!records[i].value.is_object()) {
      note(records[i].value, "id", i, wanted, hits);
    }
    if (!records[i].value.is_object()) continue;
    for (const json::Member& member : records[i].value.members()) {
      if (member.value.is_container()) continue;
      note(member.value, member.key.string(), i, wanted, hits);
    }
  }
  return hits;
}

bool differs_everywhere(const std::vector<Place>& records, const std::string& member) {
  std::unordered_set<std::string> seen;
  for (const Place& record : records) {
    const auto value = record.value.is_object() ? record.value.find(member) : std::nullopt;
    const auto text = value ? id_text(*value) : std::nullopt;
    if (text && !seen.insert(*text).second) return false;
  }
  return true;
}

/// How likely a member names records, rather than having the text by chance. Ids that were shown
/// may come from any member that differs everywhere.
enum class Trust { usual_and_unique, usual, unique, by_chance };

class Judge {
 public:
  explicit Judge(const std::vector<Place>& records) : records_(records) {}
  Trust trust(const std::string& member) {
    const auto known = verdicts_.find(member);
    if (known != verdicts_.end()) return known->second;
    const bool unique = differs_everywhere(records_, member);
    const Trust verdict = is_usual_id(member) ? (unique ? Trust::usual_and_unique : Trust::usual)
                                              : (unique ? Trust::unique : Trust::by_chance);
    verdicts_.emplace(member, verdict);
    return verdict;
  }

 private:
  const std::vector<Place>& records_;
  std::map<std::string, Trust> verdicts_;
};

/// The records of one id: those of the best trust that was met.
struct Candidates {
  Trust trust = Trust::by_chance;
  std::vector<Place> records;

  void add(Trust by, const Place& record) {
    if (by > trust) return;
    if (by < trust) records.clear();
    trust = by;
    const bool again = !records.empty() && records.back().pointer == record.pointer;
    if (!again) records.push_back(record);
  }
  /// A text that several records have by chance names none of them.
  [[nodiscard]] bool any() const {
    return !records.empty() && (trust != Trust::by_chance || records.size() == 1);
  }
};

/// Records found so far, by the position of the id that was asked for.
class Search {
 public:
  explicit Search(const std::vector<std::string>& ids) : found_(ids.size()) {
    for (std::size_t i = 0; i < ids.size(); ++i) wanted_.emplace(ids[i], i);
  }

  void look_in(const std::vector<RecordList>& lists) {
    std::vector<Candidates> now(found_.size());
    for (const RecordList& list : lists) {
      const std::vector<Place> records = records_of(list);
      Judge judge(records);
      for (const Hit& hit : hits_in(list, records, wanted_)) {
        now[hit.wanted].add(judge.trust(hit.member), records[hit.record]);
      }
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i].any()) settle(i, std::move(now[i].records));
    }
  }

  void settle(std::size_t wanted, std::vector<Place> places) {
    found_[wanted] = std::move(places);
    std::erase_if(wanted_, [&](const auto& entry) { return entry.second == wanted; });
  }

  [[nodiscard]] bool done() const { return wanted_.empty(); }
  [[nodiscard]] const Wanted& wanted() const { return wanted_; }
  [[nodiscard]] std::vector<std::vector<Place>>& found() { return found_; }

 private:
  Wanted wanted_;  ///< ids that are still to be found
  std::vector<std::vector<Place>> found_;
};

}  // namespace

Result<FoundIds> find_ids(const Opened& opened, const Place& scope,
                          const std::vector<std::string>& ids, bool raw_result) {
  Search search(ids);
  search.look_in(record_lists(scope));
  // What is no id may be a place.
  const Wanted left = search.wanted();
  for (const auto& [text, wanted] : left) {
    if (!text.empty() && text[0] != '/') continue;
    Result<Located> located = locate(opened, text, raw_result);
    if (located) search.settle(wanted, std::move(located->places));
  }
  if (!search.done()) search.look_in(all_lists(scope));

  FoundIds found;
  std::unordered_set<std::string> taken;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto same = std::find(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i), ids[i]);
    if (same != ids.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    if (search.found()[i].empty()) found.missing.push_back(ids[i]);
    for (Place& place : search.found()[i]) {
      if (taken.insert(place.pointer).second) found.records.push_back(std::move(place));
    }
  }
  if (found.records.empty() && !found.missing.empty()) {
    const RecordList list = main_list(scope);
    const std::string member = id_member(list);
    return fail(ErrorCode::not_found,
                fmt::format("expected the id of a record, found {}, which no record has",
                            json::quote(found.missing.front())),
                list.pointer.empty() ? std::string("the payload") : list.pointer,
                member.empty() ? std::string("use find, a pointer or a range")
                               : fmt::format("records are named by {}; or use find", member));
  }
  return found;
}

}  // namespace enfold::pipeline
