// SPDX-License-Identifier: Apache-2.0
// What may be removed from a value without violating the output schema. Keywords that are not
// analysed make the value fixed: a fixed value takes more room than needed, but is always valid.
#pragma once

#include "enfold/json/document.h"

namespace enfold::budget::detail {

class Constraint {
 public:
  Constraint() = default;  ///< no constraint
  /// `root`: the whole schema, in which `$ref` is resolved. `schema`: the part for `value`.
  Constraint(json::View root, json::View schema, json::View value);

  [[nodiscard]] bool is_unconstrained() const { return schemas_.empty() && !fixed_; }
  /// The value must be kept unchanged or dropped.
  [[nodiscard]] bool fixed() const { return fixed_; }

  [[nodiscard]] bool needs_member(std::string_view key) const;  ///< `required`, or a dependency
  [[nodiscard]] std::size_t min_members() const { return largest_of("minProperties"); }
  /// Leading items to keep: `minItems`, and items described by position.
  [[nodiscard]] std::size_t min_items() const;
  /// Whether a schema has `uniqueItems`; `false` counts too, to be on the safe side.
  [[nodiscard]] bool requires_unique_items() const;
  /// Whether a string may be shortened: false if a keyword such as `pattern`, `format` or `enum`
  /// constrains its content.
  [[nodiscard]] bool may_clip() const;
  /// Whether the schema leaves room for the mark of missing members, or of missing items.
  [[nodiscard]] bool may_mark_members() const;
  [[nodiscard]] bool may_mark_items() const;
  /// Whether a schema names members (`properties`): not that of a map.
  [[nodiscard]] bool names_members() const { return any_has("properties"); }
  [[nodiscard]] std::size_t min_length() const { return largest_of("minLength"); }

  /// The constraint of a member, or of an item, of the value.
  [[nodiscard]] Constraint member(json::View key, json::View value) const;
  [[nodiscard]] Constraint item(std::size_t position, json::View value) const;

 private:
  /// Adds a schema that applies to the value, and the schemas that it refers to.
  void add(json::View schema, json::View value, int depth);
  void add_reference(json::View reference, json::View value, int depth);
  /// Adds the branch of anyOf or oneOf that applies to the value; the value is fixed if that is not
  /// clear.
  void add_choice(json::View branches, json::View value, int depth);
  /// The largest value of a keyword such as `minItems` in the schemas; 0: none has it.
  [[nodiscard]] std::size_t largest_of(std::string_view keyword) const;
  [[nodiscard]] bool any_has(std::string_view keyword) const;

  json::View root_;
  std::vector<json::View> schemas_;  ///< all schemas that apply to the value
  bool fixed_ = false;
};

}  // namespace enfold::budget::detail
