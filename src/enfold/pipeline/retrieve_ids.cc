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
  Record record;
  std::string member;
};

using Wanted = std::unordered_map<std::string, std::size_t>;

std::optional<std::string> id_text(json::View value) {
  if (value.is_string()) return value.string();
  if (value.is_number()) return std::string(value.number());
  return std::nullopt;
}

std::vector<Hit> hits_in(const RecordList& list, const Wanted& wanted) {
  std::vector<Hit> hits;
  const auto note = [&](json::View value, json::View key, const Record& record) {
    const auto text = id_text(value);
    const auto at = text ? wanted.find(*text) : wanted.end();
    if (at == wanted.end()) return;
    hits.push_back({at->second, record, key.is_string() ? key.string() : std::string("id")});
  };
  each_record(list, [&](const Record& record) {
    // The name of a member is its id, and so is a scalar itself.
    if (list.kind == RecordList::Kind::members) note(record.key, {}, record);
    if (!record.value.is_object()) note(record.value, {}, record);
    for (const json::Member& member : record.value.members()) {
      if (!member.value.is_container()) note(member.value, member.key, record);
    }
    return true;
  });
  return hits;
}

bool differs_everywhere(const RecordList& list, const std::string& member) {
  std::unordered_set<std::string> seen;
  bool differs = true;
  each_record(list, [&](const Record& record) {
    const auto value = record.value.is_object() ? record.value.find(member) : std::nullopt;
    const auto text = value ? id_text(*value) : std::nullopt;
    differs = !text || seen.insert(*text).second;
    return differs;
  });
  return differs;
}

/// How likely a member names records, rather than having the text by chance. Ids that were shown
/// may come from any member that differs everywhere.
enum class Trust { usual_and_unique, usual, unique, by_chance };

class Judge {
 public:
  explicit Judge(const RecordList& list) : list_(list) {}
  Trust trust(const std::string& member) {
    const auto known = verdicts_.find(member);
    if (known != verdicts_.end()) return known->second;
    const bool unique = differs_everywhere(list_, member);
    const Trust verdict = is_usual_id(member) ? (unique ? Trust::usual_and_unique : Trust::usual)
                                              : (unique ? Trust::unique : Trust::by_chance);
    verdicts_.emplace(member, verdict);
    return verdict;
  }

 private:
  const RecordList& list_;
  std::map<std::string, Trust> verdicts_;
};

/// The records of one id: those of the best trust that was met.
struct Candidates {
  Trust trust = Trust::by_chance;
  std::vector<Place> records;

  void add(Trust by, Place record) {
    if (by > trust) return;
    if (by < trust) records.clear();
    trust = by;
    const bool again = !records.empty() && records.back().pointer == record.pointer;
    if (!again) records.push_back(std::move(record));
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
      Judge judge(list);
      for (const Hit& hit : hits_in(list, wanted_)) {
        now[hit.wanted].add(judge.trust(hit.member), place_of(list, hit.record));
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
