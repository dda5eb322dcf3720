// SPDX-License-Identifier: Apache-2.0
// The shape of a JSON document (not the model::Shape of an answer): which members its records have,
// and of which kinds. A tree with one position for each path, without the indexes of lists and the
// keys of maps, so that all records of a list share a position. One pass, linear in the document.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace enfold::retrieve {

/// The kinds of values that were seen at one position.
struct SeenKinds {
  bool null : 1 = false, boolean : 1 = false, integer : 1 = false, real : 1 = false;
  bool text : 1 = false;  ///< strings, and integers beyond 64 bits
  bool list : 1 = false, object : 1 = false;

  void add(json::View value);
  [[nodiscard]] bool scalar() const { return boolean || integer || real || text; }
};

/// One position of the tree. Other positions are indexes in ValueShape::at.
struct ShapePosition {
  std::string name;                     ///< of the member; empty for records and the root
  std::string source;                   ///< the name as it is spelled in the document, with escapes
  std::vector<std::uint32_t> children;  ///< positions of members, in the order in which they occur
  std::optional<std::uint32_t> rows;    ///< position of the records, if lists or maps occur here
  bool is_map = false;                  ///< a list or map here was a map of records
  std::size_t count = 0;                ///< values that have this position
  SeenKinds kinds;
  std::vector<SeenKinds> cells;  ///< by index, for records that are lists
};

class ValueShape {
 public:
  explicit ValueShape(json::View root);
  [[nodiscard]] const ShapePosition& at(std::uint32_t index) const { return positions_[index]; }
  static constexpr std::uint32_t kRoot = 0;

 private:
  /// A list that is itself a record of a list has cells instead of records.
  enum class As { value, record };
  /// In the functions below, `at` is the index of the value's position.
  void visit(json::View value, std::uint32_t at, As as);
  void visit_members(json::View object, std::uint32_t at);
  void visit_cells(json::View list, std::uint32_t at);
  /// The position of the records of a list or map.
  std::uint32_t rows_of(std::uint32_t at);
  /// The position of a member. `likely_index`: where it probably is among the children, as records
  /// mostly have their members in the same order. kRoot: there are too many positions.
  std::uint32_t child_of(std::uint32_t at, json::View key, std::size_t likely_index);

  std::vector<ShapePosition> positions_;
  /// All members, by "position/source"; searched where a position has many children.
  std::unordered_map<std::string, std::uint32_t> known_;
};

}  // namespace enfold::retrieve
