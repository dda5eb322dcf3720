// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/duplicate_members.h"
#include "enfold/retrieve/records/records.h"

#include <algorithm>
#include <array>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace enfold::retrieve {
namespace {

constexpr std::array<std::string_view, 18> kCommonIdNames{
    "id",   "_id",  "key", "uuid", "guid", "number", "iid",  "sha",   "hash",
    "slug", "path", "uri", "url",  "file", "name",   "code", "title", "label"};

/// Detects duplicates among scalars. It sorts them whenever their number has doubled: that takes a
/// third of the memory of hashing and finds frequent duplicates early.
class DuplicateCheck {
 public:
  /// `most`: the number of scalars, for reserving memory.
  explicit DuplicateCheck(std::size_t most) : most_(most) {}

  /// False: there is a duplicate. True: none was found yet; `all_differ` decides in the end.
  bool add(json::View scalar) {
    // After so many different scalars, memory for all is reserved.
    constexpr std::size_t few = 1024;
    if (texts_.size() == few) texts_.reserve(most_);
    if (scalar.is_number()) {
      texts_.push_back(scalar.number());
    } else {
      texts_.push_back(scalar.has_escapes() ? unescaped_.emplace_back(scalar.string())
                                            : scalar.string_source());
    }
    return texts_.size() < next_check_ || all_differ();
  }
  /// Whether all scalars that were added differ.
  bool all_differ() {
    next_check_ = texts_.size() * 2;
    std::sort(texts_.begin(), texts_.end());
    return std::adjacent_find(texts_.begin(), texts_.end()) == texts_.end();
  }

 private:
  std::size_t most_;
  std::vector<std::string_view> texts_;
  std::deque<std::string> unescaped_;  ///< strings that had escapes; `texts_` views them
  std::size_t next_check_ = 2;         ///< number of scalars at which they are sorted next
};

template <class Use>
void each_container_member(const answer::Place& here, Use use) {
  const json::MemberTokens tokens(here.value);
  std::size_t position = 0;
  for (const json::Member& member : here.value.members()) {
    const std::size_t at = position++;
    if (!member.value.is_container()) continue;
    use(answer::Place{json::below(here.pointer, tokens.token(member.key, at)), member.value,
                      std::nullopt});
  }
}

bool is_map_of_objects(json::View value) {
  if (!value.is_object() || value.size() < 2) return false;
  for (const json::Member& member : value.members()) {
    if (!member.value.is_object()) return false;
  }
  return true;
}

bool is_no_map(json::View /*value*/) { return false; }

/// Calls `use` for arrays and maps that are reached through objects only; false if there is none.
bool each_outer(const answer::Place& here, IsMap is_map, const UseList& use) {
  if (here.value.is_array() || is_map(here.value)) {
    use({here.pointer, here.value,
         here.value.is_array() ? RecordList::Kind::items : RecordList::Kind::members});
    return true;
  }
  bool any = false;
  each_container_member(
      here, [&](const answer::Place& there) { any = each_outer(there, is_map, use) || any; });
  return any;
}

/// Calls `use` for arrays and maps of records at any depth; false if there is none.
bool each_nested(const answer::Place& here, const UseList& use) {
  const bool is_list = here.value.is_array();
  bool any = is_list || is_map_of_records(here.value);
  if (any) {
    use({here.pointer, here.value, is_list ? RecordList::Kind::items : RecordList::Kind::members});
  }
  std::size_t position = 0;
  for (const json::View item : here.value.items()) {
    const std::size_t at = position++;
    if (!item.is_container()) continue;
    any = each_nested({json::below(here.pointer, std::to_string(at)), item, std::nullopt}, use) ||
          any;
  }
  each_container_member(here,
                        [&](const answer::Place& there) { any = each_nested(there, use) || any; });
  return any;
}

}  // namespace

bool is_map_of_records(json::View value) {
  constexpr std::size_t fewest = 3;
  if (!value.is_object() || value.size() < fewest) return false;
  std::optional<json::View> first;
  bool has_common_member = false;
  for (const json::Member& member : value.members()) {
    if (!member.value.is_object()) return false;
    if (!first) {
      first = member.value;
      has_common_member = member.value.size() == 0;  // nothing to compare: any object will do
      continue;
    }
    if (has_common_member) continue;
    for (const json::Member& inner : member.value.members()) {
      has_common_member = has_common_member || first->find(inner.key.string()).has_value();
    }
  }
  return has_common_member;
}

IsMap map_rule(const answer::Place& root) {
  const UseList ignore = [](const RecordList&) {};
  if (each_outer(root, is_map_of_records, ignore)) return is_map_of_records;
  return each_outer(root, is_map_of_objects, ignore) ? is_map_of_objects : is_no_map;
}

void each_outer_list(const answer::Place& root, const UseList& use) {
  if (each_outer(root, is_map_of_records, use)) return;
  if (each_outer(root, is_map_of_objects, use)) return;
  use({root.pointer, root.value, RecordList::Kind::itself});
}

void each_list(const answer::Place& root, const UseList& use) {
  if (!each_nested(root, use)) each_outer_list(root, use);
}

RecordList main_list(const answer::Place& root) {
  std::optional<RecordList> longest;
  each_outer_list(root, [&](const RecordList& list) {
    if (!longest || longest->value.size() < list.value.size()) longest = list;
  });
  return *longest;
}

void each_record(const RecordList& list, const std::function<bool(const Record&)>& use) {
  Record record;
  if (list.kind == RecordList::Kind::itself) {
    record.value = list.value;
    use(record);
  } else if (list.kind == RecordList::Kind::items) {
    for (const json::View item : list.value.items()) {
      record.value = item;
      if (!use(record)) return;
      ++record.position;
    }
  } else {
    const json::MemberTokens tokens(list.value);
    for (const json::Member& member : list.value.members()) {
      record.key = member.key;
      record.value = member.value;
      record.is_shadowed = tokens.is_shadowed(record.position);
      if (!use(record)) return;
      ++record.position;
    }
  }
}

answer::Place place_of(const RecordList& list, const Record& record) {
  switch (list.kind) {
    case RecordList::Kind::items:
      return {fmt::format("{}/{}", list.pointer, record.position), record.value, std::nullopt};
    case RecordList::Kind::members:
      return {json::below(list.pointer, record.is_shadowed
                                            ? json::shadowed_token(list.value, record.position)
                                            : record.key.string()),
              record.value, std::nullopt, /*is_record=*/true, /*is_named=*/true};
    case RecordList::Kind::itself: break;
  }
  return {list.pointer, record.value, std::nullopt};
}

std::string id_member(const RecordList& list) {
  if (list.kind != RecordList::Kind::items) return {};
  for (const std::string_view member : kCommonIdNames) {
    if (list.value.size() > 0 && is_unique_member(list, member)) return std::string(member);
  }
  return {};
}

namespace {

/// The member of a record; for "outer.inner", also the member `inner` of its member `outer`.
std::optional<json::View> member_of(json::View record, std::string_view name) {
  if (!record.is_object()) return std::nullopt;
  if (const auto member = record.find(name)) return member;
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto outer = record.find(name.substr(0, dot));
  return outer && outer->is_object() ? outer->find(name.substr(dot + 1)) : std::nullopt;
}

}  // namespace

bool is_unique_member(const RecordList& list, std::string_view member) {
  DuplicateCheck seen(list.value.size());
  bool differs = true;
  each_record(list, [&](const Record& record) {
    const auto value = member_of(record.value, member);
    differs = value && (value->is_string() || value->is_number()) && seen.add(*value);
    return differs;
  });
  return differs && seen.all_differ();
}

bool is_common_id_name(std::string_view member) {
  return std::find(kCommonIdNames.begin(), kCommonIdNames.end(), member) != kCommonIdNames.end();
}

}  // namespace enfold::retrieve
