// SPDX-License-Identifier: Apache-2.0
// The lists of records in an archived answer, and the records among them that an id, a text or a
// condition selects. Lists and records are passed to callbacks and not collected, because there may
// be very many.
#pragma once

#include "enfold/answer/stored/places.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/retrieve/query.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// A list of records: the items of an array, the members of an object, or one value by itself.
struct RecordList {
  enum class Kind { items, members, itself };  ///< `itself`: the value is the only record
  std::string pointer;                         ///< of `value`, in the answer
  json::View value;
  Kind kind = Kind::items;
};

using UseList = std::function<void(const RecordList&)>;

/// An object whose members are records: three or more objects, of which one has a member in common
/// with the first, or the first is empty.
[[nodiscard]] bool is_map_of_records(json::View value);
/// The outermost lists: arrays and maps of records that are reached through objects alone. If there
/// are none: objects of two or more members that are all objects. If there are none of these
/// either: the value itself.
void each_outer_list(const answer::Place& root, const UseList& use);
using IsMap = bool (*)(json::View value);
/// The test by which `each_outer_list` takes the members of an object below `root` for records.
[[nodiscard]] IsMap map_rule(const answer::Place& root);
/// Every array and map of records at any depth, outer before inner; if there is none, the outermost
/// lists.
void each_list(const answer::Place& root, const UseList& use);
/// The longest of the outermost lists; of several with the same length, the first.
[[nodiscard]] RecordList main_list(const answer::Place& root);

struct Record {
  std::size_t position = 0;  ///< in its list, from 0
  json::View key;            ///< of a member; JSON null for other records
  json::View value;
  bool is_shadowed = false;  ///< a later member has the same key
};
/// Calls `use` for each record in order, until it returns false.
void each_record(const RecordList& list, const std::function<bool(const Record&)>& use);
/// The place of a record of this list in the answer.
[[nodiscard]] answer::Place place_of(const RecordList& list, const Record& record);

/// The member that identifies records: a common id name, unique in the list; empty if there is
/// none.
[[nodiscard]] std::string id_member(const RecordList& list);
/// Whether all records have this member, or member of a member ("metadata.name"), as a text or
/// number, with different values. True for an empty list.
[[nodiscard]] bool is_unique_member(const RecordList& list, std::string_view member);
/// Whether ids often have this name: `id`, `uuid`, `name` and others.
[[nodiscard]] bool is_common_id_name(std::string_view member);

/// Whether the record meets the condition. Values of different kinds are neither equal nor ordered,
/// but a text that is a number compares with numbers. A comparison with a missing member is false,
/// except `= null`. A list matches if one of its items does; `!=` is the negation of `=`.
/// Comparisons that `and` joins and that look into the same list hold in one of its items.
[[nodiscard]] bool holds(const Condition& condition, json::View record);

[[nodiscard]] bool path_exists(const std::vector<std::string>& path, json::View record);

struct FoundIds {
  std::vector<answer::Place>
      records;                       ///< of the window; in the order of the ids, then of the answer
  std::size_t total = 0;             ///< records, including those outside the window
  std::vector<std::string> missing;  ///< ids without a record
};

/// The records with these ids. Looks up pointers first, in the whole answer; then ids in the
/// outermost lists of `scope`, then in nested lists. `raw_result`: pointers refer to the tool's
/// whole result. Fails with `not_found` if no id has a record, and with `limit_exceeded` for too
/// many pointers. Records outside the window take four bytes of memory each.
[[nodiscard]] Result<FoundIds> find_ids(const answer::ArchivedAnswer& opened,
                                        const answer::Place& scope,
                                        const std::vector<std::string>& ids, bool raw_result,
                                        answer::Window window = {});

}  // namespace enfold::retrieve
