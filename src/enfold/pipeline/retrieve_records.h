// SPDX-License-Identifier: Apache-2.0
// Where things stand in an archived answer: its payload, its lists of records, places given by
// pointers and ranges, lines and characters of texts. Everything borrows from the payload.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/json/pointer.h"
#include "enfold/model/response.h"
#include "enfold/pipeline/query.h"
#include "enfold/pipeline/read_as.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::pipeline {

/// An archived answer, opened: the tool's whole result and the payload inside it.
struct Opened {
  json::Value result;
  json::Value payload;
};
/// `read` nullopt: by what it looks like.
[[nodiscard]] Result<Opened> open_archived(json::View archived, std::optional<ReadAs> read,
                                           const Limits& limits);

/// The same of an answer that was made here: a payload, or the MCP result around one.
[[nodiscard]] Opened open_own(contract::Id id, json::Value result);

/// The same of an answer that was read already.
[[nodiscard]] Opened opened_as(const model::Response& response, contract::Id id,
                               json::Value result);

/// The pointer of something in the tool's whole result, as `locate` and a list of dropped ids take
/// it: with "/result" in front as often as it takes not to be a place in the payload.
[[nodiscard]] std::string place_in_result(const Opened& opened, const std::string& pointer);

struct Place {
  std::string pointer;  ///< accepted again by `locate`
  json::View value;
  std::optional<Range> lines;  ///< of a string: only these, from 0
};

struct Located {
  std::vector<Place> places;
  bool several = false;  ///< the pointer held `*` or a range: a list, even of one or none
};

/// Payload first; then the names that an envelope wraps around it (`items`, `text`, `data` …);
/// then the tool's result. `raw_result`: only there.
[[nodiscard]] Result<Located> locate(const Opened& opened, const std::string& pointer,
                                     bool raw_result);

/// A list of records: the items of an array, the members of an object, or one value by itself.
struct RecordList {
  enum class Kind { items, members, itself };
  std::string pointer;
  json::View value;
  Kind kind = Kind::items;
};

/// The outermost lists: arrays reached through objects alone; without any, objects whose members
/// are all objects; without any, the value itself.
[[nodiscard]] std::vector<RecordList> record_lists(const Place& root);
/// Every array at any depth, a list before the lists in its items.
[[nodiscard]] std::vector<RecordList> all_lists(const Place& root);
/// Of the outermost lists the longest.
[[nodiscard]] RecordList main_list(const Place& root);

struct Record {
  std::size_t position = 0;
  json::View key;  ///< of a member
  json::View value;
};
/// In order, until `use` says false. Pointers are made for the records that are wanted only.
void each_record(const RecordList& list, const std::function<bool(const Record&)>& use);
[[nodiscard]] Place place_of(const RecordList& list, const Record& record);

/// The member that names a record: scalar, in all of them, different in each, by a usual name.
[[nodiscard]] std::string id_member(const RecordList& list);
[[nodiscard]] bool is_usual_id(std::string_view member);

/// Offsets of the beginnings of the lines; a line owns the line feed that ends it.
[[nodiscard]] std::vector<std::size_t> line_starts(std::string_view text);
/// Lines from 0; empty behind the end.
[[nodiscard]] std::string_view lines_of(std::string_view text, const Range& range);
[[nodiscard]] std::string_view characters_of(std::string_view text, const Range& range);

}  // namespace enfold::pipeline
