// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/records/found.h"

#include "enfold/json/write.h"

#include <algorithm>

namespace enfold::retrieve {
namespace {

/// Reads values at places; caches the last text, because its lines are usually read in a row.
class Reader {
 public:
  json::Value value_of(const answer::Place& place) {
    if (!place.lines) return json::Value(place.value);
    if (place.value.raw().data() != text_at_) {
      text_at_ = place.value.raw().data();
      text_ = place.value.string();
      starts_ = answer::line_starts(text_);
    }
    return json::string_value(answer::lines_of(text_, starts_, *place.lines));
  }

 private:
  const char* text_at_ = nullptr;
  std::string text_;
  std::vector<std::size_t> starts_;
};

}  // namespace

json::Value value_of(const answer::Place& place) { return Reader().value_of(place); }

QueryResult found_at(const answer::Place& place) {
  QueryResult found{.value = value_of(place), .pointer = place.pointer};
  if (place.lines) found.lines_before = place.lines->first;
  const json::View value = found.value.view();
  if (value.is_array() || value.is_object()) {
    found.unit = value.is_array() ? Unit::records : Unit::members;
    found.total = value.size();
  } else if (value.is_string()) {
    found.unit = Unit::lines;
    found.total = answer::line_starts(value.string()).size();
  }
  return found;
}

std::string last_name(const std::string& pointer) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  return parsed && !parsed->tokens().empty() ? parsed->tokens().back() : std::string();
}

QueryResult found_records(const std::vector<answer::Place>& records, std::size_t total,
                          answer::Window window) {
  QueryResult found{.unit = Unit::records, .total = total, .first = std::min(window.offset, total)};
  json::Writer writer;
  Reader reader;
  writer.begin_array();
  for (const answer::Place& record : records) {
    if (record.lines) {
      writer.value(reader.value_of(record));
    } else {
      writer.value(record.value);
    }
    Match match{.pointer = record.pointer, .shows_pointer = !record.is_record};
    if (record.lines) match.line = record.lines->first + 1;
    if (record.is_named) match.name = last_name(record.pointer);
    found.matches.push_back(std::move(match));
  }
  found.value = std::move(writer.end_array()).finish_value();
  return found;
}

}  // namespace enfold::retrieve
