// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/stored/places.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/records/records.h"
#include "enfold/retrieve/tables/tables.h"

#include <algorithm>

namespace enfold::retrieve {
namespace {

/// The lines of a text, without their line breaks.
json::Value lines_as_list(json::View text) {
  const std::string decoded = text.string();
  const std::vector<std::size_t> starts = answer::line_starts(decoded);
  json::Writer writer;
  writer.begin_array();
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : decoded.size();
    std::string_view line = std::string_view(decoded).substr(starts[i], end - starts[i]);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    writer.string(line);
  }
  return std::move(writer.end_array()).finish_value();
}

}  // namespace

json::View value_in(const Column& column, json::View record) {
  if (column.source == Column::Source::cell) return record.item(column.cell).value_or(json::View());
  for (const std::string& name : column.path) {
    const auto member = record.find(name);
    if (!member) return {};
    record = *member;
  }
  return record;
}

Rows::Rows(const Tables& tables, std::size_t index)
    : table_(tables.tables[index]), root_(table_.root) {
  if (table_.form == Table::Form::document) {
    add(root_.view(), /*position=*/0, /*parent=*/0);
    return;
  }
  if (table_.form == Table::Form::lines) {
    root_ = lines_as_list(table_.root.view());
    add_list(root_.view(), /*parent=*/0);
    return;
  }
  rows_.reserve(table_.count);
  const json::Pointer path(table_.path);
  if (!table_.parent) {
    if (const auto list = path.resolve(root_.view())) add_list(*list, /*parent=*/0);
    return;
  }
  parents_ = std::make_unique<Rows>(tables, *table_.parent);
  for (std::size_t row = 0; row < parents_->size(); ++row) {
    if (const auto list = path.resolve(parents_->value(row))) add_list(*list, row);
  }
}

void Rows::add_list(json::View list, std::size_t parent) {
  std::size_t position = 0;
  for (const json::View item : list.items()) add(item, position++, parent);
  if (table_.form != Table::Form::members || !is_map_of_records(list)) return;
  for (const json::Member& member : list.members()) {
    const auto begin = member.key.offset();
    keys_.resize(rows_.size());
    keys_.emplace_back(begin, begin + static_cast<std::uint32_t>(member.key.raw().size()));
    add(member.value, position++, parent);
  }
}

void Rows::add(json::View value, std::size_t position, std::size_t parent) {
  const auto size = static_cast<std::uint32_t>(value.raw().size());
  rows_.push_back({.begin = value.offset(),
                   .end = value.offset() + size,
                   .container = json::detail::container_index(value),
                   .parent = static_cast<std::uint32_t>(parent),
                   .position = static_cast<std::uint32_t>(position)});
}

json::View Rows::value(std::size_t row) const {
  const Row& at = rows_[row];
  return {root_->storage(), at.begin, at.end, at.container};
}

std::optional<std::string> Rows::key(std::size_t row) const {
  if (row >= keys_.size() || keys_[row].second == 0) return std::nullopt;
  const auto [begin, end] = keys_[row];
  return json::View(root_->storage(), begin, end, /*container=*/0).string();
}

std::string Rows::pointer(std::size_t row) const {
  if (table_.is_in_text) return table_.pointer;
  std::string pointer = parents_ ? parents_->pointer(rows_[row].parent) : table_.pointer;
  if (table_.form == Table::Form::document) return pointer;
  for (const std::string& name : table_.path) json::append_token(pointer, name);
  json::append_token(pointer, key(row).value_or(std::to_string(rows_[row].position)));
  return pointer;
}

std::pair<std::size_t, std::size_t> Rows::with_parent(std::size_t parent) const {
  const auto less = [](const Row& row, std::size_t wanted) { return row.parent < wanted; };
  const auto more = [](std::size_t wanted, const Row& row) { return wanted < row.parent; };
  const auto first = std::lower_bound(rows_.begin(), rows_.end(), parent, less);
  const auto last = std::upper_bound(first, rows_.end(), parent, more);
  return {static_cast<std::size_t>(first - rows_.begin()),
          static_cast<std::size_t>(last - rows_.begin())};
}

}  // namespace enfold::retrieve
