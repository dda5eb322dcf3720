// SPDX-License-Identifier: Apache-2.0
// Iterates over the lists of records in an archived answer and finds the members that identify
// records. Nothing is collected, because there may be very many lists and records.
#pragma once

#include "enfold/answer/stored/places.h"

#include <functional>
#include <string>
#include <string_view>

namespace enfold::retrieve {

/// A list of records: the items of an array, the members of an object, or one value by itself.
struct RecordList {
  enum class Kind { items, members, itself };
  std::string pointer;
  json::View value;
  Kind kind = Kind::items;
};

using UseList = std::function<void(const RecordList&)>;

/// The outermost lists: arrays reached through objects alone; without any, objects whose members
/// are all objects; without any, the value itself.
void each_outer_list(const answer::Place& root, const UseList& use);
/// The kind of the outermost lists.
[[nodiscard]] RecordList::Kind kind_of_outer_lists(const answer::Place& root);
/// An object with two members or more, all of them objects.
[[nodiscard]] bool is_map_of_objects(json::View value);
/// Every array at any depth, outer before inner; if there is none, the outermost lists.
void each_list(const answer::Place& root, const UseList& use);
/// The longest of the outermost lists.
[[nodiscard]] RecordList main_list(const answer::Place& root);

struct Record {
  std::size_t position = 0;
  json::View key;  ///< of a member
  json::View value;
  bool is_shadowed = false;  ///< a later member has the same key
};
/// Calls `use` for each record in order, until it returns false.
void each_record(const RecordList& list, const std::function<bool(const Record&)>& use);
[[nodiscard]] answer::Place place_of(const RecordList& list, const Record& record);

/// The member that identifies records: a common id name, unique in the list; empty if there is
/// none.
[[nodiscard]] std::string id_member(const RecordList& list);
/// Whether all records have this member as a text or number, with different values.
[[nodiscard]] bool is_unique_member(const RecordList& list, std::string_view member);
[[nodiscard]] bool is_common_id_name(std::string_view member);

}  // namespace enfold::retrieve
