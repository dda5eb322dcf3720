// SPDX-License-Identifier: Apache-2.0
// The shape of a document: one position for each path, with the positions in lists and the keys of
// maps left out. One pass, linear in the document.
#pragma once

#include "enfold/json/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

struct ShapePosition {
  std::string name;                     ///< of the member
  std::string source;                   ///< the name as it is spelled in the document
  std::vector<std::uint32_t> children;  ///< members, in the order of their first occurrence
  std::optional<std::uint32_t> rows;    ///< the records of the list or map
  bool is_map = false;
  std::size_t count = 0;  ///< values
  SeenKinds kinds;
  std::vector<SeenKinds> cells;  ///< of records that are lists
};

class ValueShape {
 public:
  explicit ValueShape(json::View root);
  [[nodiscard]] const ShapePosition& at(std::uint32_t index) const { return positions_[index]; }
  static constexpr std::uint32_t kRoot = 0;

 private:
  enum class As { value, record };
  void visit(json::View value, std::uint32_t at, As as);
  void visit_members(json::View object, std::uint32_t at);
  void visit_cells(json::View list, std::uint32_t at);
  std::uint32_t rows_of(std::uint32_t at);
  std::uint32_t child_of(std::uint32_t at, json::View key, std::size_t expected);

  std::vector<ShapePosition> positions_;
  /// Children of positions with many, by "position/source".
  std::unordered_map<std::string, std::uint32_t> known_;
};

}  // namespace enfold::retrieve
