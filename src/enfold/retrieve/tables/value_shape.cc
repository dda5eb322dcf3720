// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/tables/value_shape.h"

#include "enfold/retrieve/records/records.h"

#include <algorithm>

namespace enfold::retrieve {
namespace {

constexpr std::size_t kMostCells = 500;  // of a record that is a list; others have no column
// Documents may have a new name in every record. A member without a position has no column; SQL
// reads it from `_json`.
constexpr std::size_t kMostPositions = 100'000;
constexpr std::size_t kFewChildren = 32;  // so few are searched one by one, more with `known_`

bool is_integer_text(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

}  // namespace

void SeenKinds::add(json::View value) {
  constexpr std::size_t characters_that_fit = 18;  // into 64 bits
  switch (value.kind()) {
    case json::Kind::null: null = true; return;
    case json::Kind::boolean: boolean = true; return;
    case json::Kind::string: text = true; return;
    case json::Kind::array: list = true; return;
    case json::Kind::object: object = true; return;
    case json::Kind::number: break;
  }
  const std::string_view number = value.raw();
  if (!is_integer_text(number)) {
    real = true;
  } else if (number.size() <= characters_that_fit || value.integer()) {
    integer = true;
  } else {
    text = true;
  }
}

ValueShape::ValueShape(json::View root) {
  positions_.emplace_back();
  visit(root, kRoot, As::value);
}

void ValueShape::visit(json::View value, std::uint32_t at, As as) {
  ShapePosition& position = positions_[at];
  ++position.count;
  position.kinds.add(value);
  if (value.is_array() && as == As::record) return visit_cells(value, at);
  const bool is_map = as == As::value && is_map_of_records(value);
  if (value.is_object() && !is_map) return visit_members(value, at);
  if (!value.is_container()) return;
  position.is_map = position.is_map || is_map;
  const std::uint32_t rows = rows_of(at);
  if (is_map) {
    for (const json::Member& member : value.members()) visit(member.value, rows, As::record);
  } else {
    for (const json::View item : value.items()) visit(item, rows, As::record);
  }
}

void ValueShape::visit_members(json::View object, std::uint32_t at) {
  std::size_t index = 0;
  for (const json::Member& member : object.members()) {
    const std::uint32_t child = child_of(at, member.key, index++);
    if (child != kRoot) visit(member.value, child, As::value);
  }
}

void ValueShape::visit_cells(json::View list, std::uint32_t at) {
  std::vector<SeenKinds>& cells = positions_[at].cells;
  if (cells.size() < list.size()) cells.resize(std::min(list.size(), kMostCells));
  std::size_t index = 0;
  for (const json::View item : list.items()) {
    if (index == cells.size()) break;
    cells[index++].add(item);
  }
}

std::uint32_t ValueShape::rows_of(std::uint32_t at) {
  if (!positions_[at].rows) {
    positions_[at].rows = static_cast<std::uint32_t>(positions_.size());
    positions_.emplace_back();
  }
  return *positions_[at].rows;
}

std::uint32_t ValueShape::child_of(std::uint32_t at, json::View key, std::size_t likely_index) {
  const std::string_view source = key.string_source();
  const std::vector<std::uint32_t>& children = positions_[at].children;
  if (likely_index < children.size() && positions_[children[likely_index]].source == source) {
    return children[likely_index];
  }
  const std::string by_place = std::to_string(at) + '/' + std::string(source);
  if (children.size() <= kFewChildren) {
    for (const std::uint32_t child : children) {
      if (positions_[child].source == source) return child;
    }
  } else if (const auto known = known_.find(by_place); known != known_.end()) {
    return known->second;
  }
  if (positions_.size() >= kMostPositions) return kRoot;
  const auto made = static_cast<std::uint32_t>(positions_.size());
  positions_.push_back({.name = key.string(), .source = std::string(source)});
  positions_[at].children.push_back(made);
  known_.emplace(by_place, made);
  return made;
}

}  // namespace enfold::retrieve
