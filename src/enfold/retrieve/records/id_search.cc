// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/write.h"
#include "enfold/retrieve/records/records.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <unordered_map>

namespace enfold::retrieve {
namespace {

/// Each id with its index in the request.
using RequestedIds = std::unordered_map<std::string, std::size_t>;

/// The value as the text of an id; nullopt: the value cannot be an id.
std::optional<std::string> id_text(json::View value) {
  if (value.is_string()) return value.string();
  if (value.is_number()) return std::string(value.number());
  return std::nullopt;
}

/// Calls `use(index, member, record)` for each record with a member, or a member of a member, whose
/// text is a requested id. `index`: of the id in the request; `member`: its name, "outer.inner" if
/// it is nested, empty if the record is a scalar.
template <class Use>
void each_hit(const RecordList& list, const RequestedIds& wanted, Use use) {
  // `name` is called only for a hit, because it makes a string.
  const auto check = [&](json::View value, const auto& name, const Record& record) {
    const auto text = id_text(value);
    const auto at = text ? wanted.find(*text) : wanted.end();
    if (at != wanted.end()) use(at->second, name(), record);
  };
  const auto own_id = [] { return std::string("id"); };
  each_record(list, [&](const Record& record) {
    // The key of a member is an id, and so is a scalar record, whose member has no name.
    if (list.kind == RecordList::Kind::members) check(record.key, own_id, record);
    if (!record.value.is_object()) check(record.value, [] { return std::string(); }, record);
    for (const json::Member& member : record.value.members()) {
      if (!member.value.is_container())
        check(member.value, [&] { return member.key.string(); }, record);
      for (const json::Member& inner : member.value.members()) {
        const auto name = [&] { return member.key.string() + "." + inner.key.string(); };
        if (!inner.value.is_container()) check(inner.value, name, record);
      }
    }
    return true;
  });
}

/// How likely a member identifies records, best first: it has a common id name and unique values, a
/// common id name, unique values, it is a scalar in a list, which may only refer to a record
/// elsewhere, or none of these (the text matches by coincidence).
enum class Trust { common_and_unique, common_name, unique, scalar, coincidence };

/// The trust in the members of one list, checked once for each member.
class MemberTrust {
 public:
  explicit MemberTrust(const RecordList& list) : list_(list) {}
  /// `member`: a name as each_hit passes it.
  Trust trust(const std::string& member) {
    if (member.empty()) return Trust::scalar;
    const auto known = trust_.find(member);
    if (known != trust_.end()) return known->second;
    // Each check takes a pass over the list, so their number is limited.
    constexpr std::size_t most_checks = 32;
    const bool unique = trust_.size() < most_checks && is_unique_member(list_, member);
    const Trust verdict = is_common_id_name(member)
                              ? (unique ? Trust::common_and_unique : Trust::common_name)
                              : (unique ? Trust::unique : Trust::coincidence);
    trust_.emplace(member, verdict);
    return verdict;
  }

 private:
  const RecordList& list_;
  std::map<std::string, Trust> trust_;
};

/// Records as offsets in the document, to save memory.
using Offsets = std::vector<std::uint32_t>;

/// The records found for one id, by the most trusted member.
struct Candidates {
  Trust trust = Trust::coincidence;
  Offsets records;

  /// Keeps only records of the best trust so far.
  void add(Trust member_trust, std::uint32_t record) {
    if (member_trust > trust) return;
    if (member_trust < trust) records.clear();
    trust = member_trust;
    const bool again = !records.empty() && records.back() == record;
    const bool is_ambiguous = trust == Trust::coincidence && records.size() > 1;
    if (!again && !is_ambiguous) records.push_back(record);
  }
  /// Whether a record was found. A coincidental text that several records have identifies none of
  /// them.
  [[nodiscard]] bool any() const {
    return !records.empty() && (trust != Trust::coincidence || records.size() == 1);
  }
};

/// Records already returned: each is returned once, however many ids match it.
class SeenRecords {
 public:
  /// False if the record was seen before. Ranges of lines of one text are separate records.
  bool take(const void* document, std::uint32_t offset,
            const std::optional<answer::Range>& lines = std::nullopt) {
    const auto is_here = [&](const Part& part) {
      return part.document == document && part.lines == lines;
    };
    auto part = std::find_if(parts_.begin(), parts_.end(), is_here);
    if (part == parts_.end()) part = parts_.insert(part, {document, lines, {}});
    if (part->offsets.size() <= offset) part->offsets.resize(std::size_t{offset} + 1);
    const bool is_new = !part->offsets[offset];
    part->offsets[offset] = true;
    return is_new;
  }

 private:
  struct Part {
    const void* document;
    std::optional<answer::Range> lines;
    std::vector<bool> offsets;  ///< by the offset of a record: whether it was returned
  };
  std::vector<Part> parts_;
};

/// How the records of an id were found: the id is a pointer, or a list has it.
enum class By { place, outer_lists, all_lists };

/// The records of one id.
struct Finding {
  By by = By::place;
  Offsets records;
};

/// `by`: outer_lists or all_lists.
void each_list(By by, const answer::Place& scope, const UseList& use) {
  if (by == By::outer_lists) return each_outer_list(scope, use);
  each_list(scope, use);
}

/// The records inside the window: `expect` reserves their order, `offer` fills in their places.
class RecordSlots {
 public:
  explicit RecordSlots(std::vector<answer::Place>& records) : records_(records) {}
  /// Appends an empty place for the record at this offset in the document.
  void expect(std::uint32_t offset) {
    slots_.emplace(offset, records_.size());
    records_.emplace_back();
  }
  /// Calls `make` for the place of `value` if that record is expected.
  template <class Make>
  void offer(json::View value, Make make) {
    const auto slot = slots_.find(value.offset());
    if (slot != slots_.end()) records_[slot->second] = make();
  }
  [[nodiscard]] bool any() const { return !slots_.empty(); }

 private:
  std::vector<answer::Place>& records_;
  std::unordered_map<std::uint32_t, std::size_t> slots_;  ///< by offset: the index in `records_`
};

class Search {
 public:
  Search(const answer::ArchivedAnswer& opened, const answer::Place& scope,
         const std::vector<std::string>& ids, bool raw_result)
      : opened_(opened), scope_(scope), ids_(ids), raw_result_(raw_result), found_(ids.size()) {
    for (std::size_t i = 0; i < ids.size(); ++i) wanted_.emplace(ids[i], i);
  }

  /// Looks for the ids that were not found yet.
  void look_in(By by) {
    std::vector<Candidates> candidates(found_.size());
    each_list(by, scope_, [&](const RecordList& list) {
      MemberTrust members(list);
      each_hit(list, wanted_,
               [&](std::size_t index, const std::string& member, const Record& record) {
                 candidates[index].add(members.trust(member), record.value.offset());
               });
    });
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!candidates[i].any()) continue;
      std::erase_if(candidates[i].records, [&](std::uint32_t record) {
        return !taken_.take(scope_.value.storage(), record);
      });
      settle(i, {by, std::move(candidates[i].records)});
    }
  }

  /// An id that begins with '/', or is empty, is tried as a pointer first: Enfold's reports name
  /// records with such ids by pointers.
  Status look_up_pointers() {
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
      Finding there;
      const Result<answer::Reached> reached =
          answer::locate(opened_, ids_[i], raw_result_, [&](const answer::Place& place) {
            const json::View value = place.value;
            const bool is_new = taken_.take(value.storage(), value.offset(), place.lines);
            if (is_new) there.records.push_back(value.offset());
          });
      if (reached) settle(i, std::move(there));
    }
    return {};
  }

  /// Whether every id was found.
  [[nodiscard]] bool done() const { return wanted_.empty(); }

  /// Walks over the answer once more for the pointers of the records: only offsets are known.
  [[nodiscard]] FoundIds finish(answer::Window window) const {
    FoundIds all;
    RecordSlots in_outer(all.records);
    RecordSlots in_all(all.records);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (is_wanted(i)) all.missing.push_back(ids_[i]);
      const By by = found_[i].by;
      RecordSlots there(all.records);
      RecordSlots& held = by == By::place ? there : by == By::outer_lists ? in_outer : in_all;
      for (const std::uint32_t record : found_[i].records) {
        if (window.holds(all.total++)) held.expect(record);
      }
      if (!there.any()) continue;
      (void)answer::locate(opened_, ids_[i], raw_result_, [&](const answer::Place& place) {
        there.offer(place.value, [&] { return place; });
      });
    }
    fill(in_outer, By::outer_lists);
    fill(in_all, By::all_lists);
    return all;
  }

 private:
  /// Whether the id was not found yet; false for the repetition of an id.
  [[nodiscard]] bool is_wanted(std::size_t index) const {
    const auto entry = wanted_.find(ids_[index]);
    return entry != wanted_.end() && entry->second == index;
  }

  /// Keeps the records of an id, which is not looked for any more.
  void settle(std::size_t index, Finding finding) {
    wanted_.erase(ids_[index]);
    found_[index] = std::move(finding);
  }

  /// Fills in the places of the expected records that lists have.
  void fill(RecordSlots& held, By by) const {
    if (!held.any()) return;
    each_list(by, scope_, [&](const RecordList& list) {
      each_record(list, [&](const Record& record) {
        held.offer(record.value, [&] { return place_of(list, record); });
        return true;
      });
    });
  }

  const answer::ArchivedAnswer& opened_;
  const answer::Place& scope_;
  const std::vector<std::string>& ids_;
  bool raw_result_;             ///< ids that are pointers lead into the tool's whole result
  RequestedIds wanted_;         ///< ids not found yet
  std::vector<Finding> found_;  ///< by the index of the id
  SeenRecords taken_;           ///< records of the ids in `found_`
};

}  // namespace

Result<FoundIds> find_ids(const answer::ArchivedAnswer& opened, const answer::Place& scope,
                          const std::vector<std::string>& ids, bool raw_result,
                          answer::Window window) {
  Search search(opened, scope, ids, raw_result);
  ENFOLD_TRY(search.look_up_pointers());
  if (!search.done()) search.look_in(By::outer_lists);
  if (!search.done()) search.look_in(By::all_lists);
  FoundIds found = search.finish(window);
  if (found.total == 0 && !found.missing.empty()) {
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

}  // namespace enfold::retrieve
