// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/compare/compare.h"

#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/records/records.h"
#include "enfold/retrieve/tables/answer_parts.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace enfold::retrieve {
namespace {

constexpr std::size_t kLongestValue = 80;  // bytes of a value or id that are shown

std::string shown(const std::optional<json::Value>& value) {
  return value ? utf8::shortened(json::to_text(value->view()), kLongestValue) : std::string();
}

std::vector<ValueChange> changes_of(json::View before, json::View after) {
  std::vector<ValueChange> changes;
  for (const json::Change& change : json::diff(before, after)) {
    changes.push_back({change.pointer, shown(change.before), shown(change.after)});
  }
  return changes;
}

struct Lists {
  std::vector<AnswerPart> parts;  ///< own the values that `lists` views
  std::vector<RecordList> lists;
};

/// The lines of a text as a list of strings.
json::Value as_lines(json::View text) {
  const std::string decoded = text.string();
  const std::vector<std::size_t> starts = answer::line_starts(decoded);
  json::Writer writer;
  writer.begin_array();
  for (std::size_t i = 0; i < starts.size(); ++i) {
    writer.string(trimmed(answer::lines_of(decoded, starts, answer::Range{i, i}), "\r\n"));
  }
  return std::move(writer.end_array()).finish_value();
}

/// The outermost lists of the JSON in the payload. Without any JSON, the lines of each text.
Lists lists_of(const json::Value& payload) {
  Lists found{parts_of(payload), {}};
  const bool has_documents =
      std::ranges::any_of(found.parts, [](const AnswerPart& part) { return !part.is_text; });
  for (AnswerPart& part : found.parts) {
    if (part.is_text && has_documents) continue;
    if (part.is_text) part.value = as_lines(part.value.view());
    each_outer_list({part.pointer, part.value.view(), std::nullopt}, [&](const RecordList& list) {
      if (list.kind != RecordList::Kind::itself) found.lists.push_back(list);
    });
  }
  return found;
}

/// The member that identifies the records in both lists; empty: there is no such member.
std::string common_id(const RecordList& before, const RecordList& after) {
  const std::string id = id_member(before);
  if (!id.empty() && is_unique_member(after, id)) return id;
  const std::string other = id_member(after);
  return !other.empty() && is_unique_member(before, other) ? other : std::string();
}

/// `member`: the id member of the list; empty: the whole record as JSON is its id.
std::string id_of(const RecordList& list, const Record& record, const std::string& member) {
  if (list.kind == RecordList::Kind::members) return record.key.string();
  const auto id = member.empty() ? std::nullopt : record.value.find(member);
  if (!id) return json::to_text(record.value);
  return id->is_string() ? id->string() : std::string(id->raw());
}

ListChange compare_lists(const RecordList& before, const RecordList& after) {
  ListChange change{.pointer = after.pointer};
  const bool are_maps = before.kind == RecordList::Kind::members && before.kind == after.kind;
  const std::string member = are_maps ? std::string() : common_id(before, after);
  change.by = are_maps ? "key" : member;
  std::unordered_multimap<std::string, json::View> earlier;
  each_record(before, [&](const Record& record) {
    earlier.emplace(id_of(before, record, member), record.value);
    return true;
  });
  each_record(after, [&](const Record& record) {
    const std::string id = id_of(after, record, member);
    const auto known = earlier.find(id);
    if (known == earlier.end()) {
      ++change.added;
      change.records.push_back({RecordChange::Kind::added, utf8::shortened(id, kLongestValue), {}});
      return true;
    }
    RecordChange changed{RecordChange::Kind::changed, utf8::shortened(id, kLongestValue),
                         changes_of(known->second, record.value)};
    ++(changed.values.empty() ? change.same : change.changed);
    if (!changed.values.empty()) change.records.push_back(std::move(changed));
    earlier.erase(known);
    return true;
  });
  each_record(before, [&](const Record& record) {
    const std::string id = id_of(before, record, member);
    const auto left = earlier.find(id);
    if (left == earlier.end()) return true;
    ++change.removed;
    change.records.push_back({RecordChange::Kind::removed, utf8::shortened(id, kLongestValue), {}});
    earlier.erase(left);
    return true;
  });
  return change;
}

/// Whether the pointer is that of a list or below it.
bool is_inside_any(const std::string& pointer, const std::set<std::string>& lists) {
  return std::ranges::any_of(lists, [&](const std::string& list) {
    return pointer == list || pointer.starts_with(list + "/");
  });
}

}  // namespace

bool AnswerChange::any() const {
  return !values.empty() ||
         std::ranges::any_of(lists, [](const ListChange& list) { return !list.records.empty(); });
}

AnswerChange compare_answers(const json::Value& before, const json::Value& after) {
  const Lists earlier = lists_of(before);
  const Lists later = lists_of(after);
  AnswerChange change;
  std::set<std::string> compared;
  const bool one_each = earlier.lists.size() == 1 && later.lists.size() == 1;
  for (const RecordList& list : later.lists) {
    const auto pair = std::ranges::find_if(earlier.lists, [&](const RecordList& other) {
      return one_each || other.pointer == list.pointer;
    });
    if (pair == earlier.lists.end()) continue;
    compared.insert({list.pointer, pair->pointer});
    change.lists.push_back(compare_lists(*pair, list));
  }
  change.values = changes_of(before.view(), after.view());
  std::erase_if(change.values,
                [&](const ValueChange& value) { return is_inside_any(value.place, compared); });
  return change;
}

}  // namespace enfold::retrieve
