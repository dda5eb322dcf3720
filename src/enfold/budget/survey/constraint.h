// SPDX-License-Identifier: Apache-2.0
// What may be removed from a value without violating the output schema. Keywords that are not
// understood make the value fixed: that costs room, but never validity.
#pragma once

#include "enfold/json/document.h"

namespace enfold::budget::detail {

class Constraint {
 public:
  Constraint() = default;  ///< no constraint
  Constraint(json::View root, json::View schema, json::View value);

  [[nodiscard]] bool is_unconstrained() const { return schemas_.empty() && !fixed_; }
  /// The value must be kept unchanged or dropped.
  [[nodiscard]] bool fixed() const { return fixed_; }

  [[nodiscard]] bool needs_member(std::string_view key) const;
  [[nodiscard]] std::size_t min_members() const { return size_of("minProperties"); }
  /// Leading items to keep: `minItems`, and items described by position.
  [[nodiscard]] std::size_t min_items() const;
  [[nodiscard]] bool items_are_unique() const;
  [[nodiscard]] bool may_clip() const;
  [[nodiscard]] std::size_t min_length() const { return size_of("minLength"); }

  [[nodiscard]] Constraint member(json::View key, json::View value) const;
  [[nodiscard]] Constraint item(std::size_t position, json::View value) const;

 private:
  void add(json::View schema, json::View value, int depth);
  void add_reference(json::View reference, json::View value, int depth);
  void add_choice(json::View branches, json::View value, int depth);
  [[nodiscard]] std::size_t size_of(std::string_view keyword) const;
  [[nodiscard]] bool any_has(std::string_view keyword) const;

  json::View root_;
  std::vector<json::View> schemas_;  ///< all that apply
  bool fixed_ = false;
};

}  // namespace enfold::budget::detail
