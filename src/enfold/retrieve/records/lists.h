// SPDX-License-Identifier: Apache-2.0
// The lists of records in an archived answer, and the members that name their records. Lists and
// records are gone through one by one: there may be as many of either as the answer has bytes.
#pragma once

#include "enfold/answer/places.h"

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
/// What kind they are.
[[nodiscard]] RecordList::Kind kind_of_outer_lists(const answer::Place& root);
/// An object with two members or more, all of them objects.
[[nodiscard]] bool is_map_of_objects(json::View value);
/// Every array at any depth, a list before the lists in its items; without any, the outermost.
void each_list(const answer::Place& root, const UseList& use);
/// Of the outermost lists the longest.
[[nodiscard]] RecordList main_list(const answer::Place& root);

struct Record {
  std::size_t position = 0;
  json::View key;  ///< of a member
  json::View value;
  bool is_hidden = false;  ///< by a later member of the same name
};
/// In order, until `use` says false. Pointers are made for the records that are wanted only.
void each_record(const RecordList& list, const std::function<bool(const Record&)>& use);
[[nodiscard]] answer::Place place_of(const RecordList& list, const Record& record);

/// The member that names a record: scalar, in all of them, different in each, by a usual name.
[[nodiscard]] std::string id_member(const RecordList& list);
/// Whether all records are objects with this member, a text or a number, different in each.
[[nodiscard]] bool differs_everywhere(const RecordList& list, std::string_view member);
[[nodiscard]] bool is_usual_id(std::string_view member);

}  // namespace enfold::retrieve
