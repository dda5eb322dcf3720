// SPDX-License-Identifier: Apache-2.0
#include "enfold/pipeline/retrieve_ids.h"

#include "enfold/json/write.h"

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
    // Each verdict costs a walk over the list; who has so many members is not named by one.
    constexpr std::size_t most_verdicts = 32;
    const bool unique = verdicts_.size() < most_verdicts && differs_everywhere(list_, member);
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
  explicit Search(const std::vector<std::string>& ids) : ids_(ids), found_(ids.size()) {
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

  /// A place is a place even if a record goes by that name: reports never name a record so.
  Status look_at_places(const Opened& opened, bool raw_result) {
    constexpr std::size_t most_places = 32;  // each is a walk over the answer
    std::size_t places = 0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const bool is_place = ids_[i].empty() || ids_[i][0] == '/';
      if (!is_place || !is_wanted(i)) continue;
      if (++places > most_places) {
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("expected at most {} places, found more", most_places), "ids",
                    "ask for them in several calls");
      }
      Result<Located> located = locate(opened, ids_[i], raw_result);
      if (located) settle(i, std::move(located->places));
    }
    return {};
  }

  [[nodiscard]] bool done() const { return wanted_.empty(); }

  [[nodiscard]] FoundIds finish() && {
    FoundIds all;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (is_wanted(i)) all.missing.push_back(ids_[i]);
      for (Place& place : found_[i]) all.records.push_back(std::move(place));
    }
    return all;
  }

 private:
  [[nodiscard]] bool is_wanted(std::size_t index) const {
    const auto entry = wanted_.find(ids_[index]);
    return entry != wanted_.end() && entry->second == index;
  }

  /// Every record once, however many ids lead to it.
  void settle(std::size_t index, std::vector<Place> places) {
    wanted_.erase(ids_[index]);
    std::erase_if(places, [&](const Place& place) { return !taken_.insert(place.pointer).second; });
    found_[index] = std::move(places);
  }

  const std::vector<std::string>& ids_;
  Wanted wanted_;  ///< ids that are still to be found
  std::vector<std::vector<Place>> found_;
  std::unordered_set<std::string> taken_;
};

}  // namespace

Result<FoundIds> find_ids(const Opened& opened, const Place& scope,
                          const std::vector<std::string>& ids, bool raw_result) {
  Search search(ids);
  if (Status status = search.look_at_places(opened, raw_result); !status) {
    return tl::unexpected(status.error());
  }
  if (!search.done()) search.look_in(record_lists(scope));
  if (!search.done()) search.look_in(all_lists(scope));
  FoundIds found = std::move(search).finish();
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
