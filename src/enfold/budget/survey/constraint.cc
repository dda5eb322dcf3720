// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/survey/constraint.h"

#include "enfold/json/pointer.h"

#include <algorithm>
#include <array>

namespace enfold::budget::detail {
namespace {

using json::Kind;
using json::View;

// A schema that is nested deeper makes the value fixed, so that recursive references end.
constexpr int kDeepest = 24;

// With these keywords, removing something can invalidate a value in ways that are not analysed
// here: the value is fixed.
constexpr std::array<std::string_view, 12> kOpaque{
    "enum",     "const",       "not",           "if",  "dependentSchemas", "dependencies",
    "contains", "$dynamicRef", "$recursiveRef", "$id", "maxContains",      "minContains"};

// Whether the keyword `type`, a name or a list of names, allows values of this kind.
bool type_admits(View type, Kind kind) {
  const auto admits = [&](View name) {
    switch (kind) {
      case Kind::null: return name.equals("null");
      case Kind::boolean: return name.equals("boolean");
      case Kind::number: return name.equals("number") || name.equals("integer");
      case Kind::string: return name.equals("string");
      case Kind::array: return name.equals("array");
      case Kind::object: return name.equals("object");
    }
    return true;
  };
  if (type.is_string()) return admits(type);
  for (const View name : type.items()) {
    if (admits(name)) return true;
  }
  return !type.is_array();
}

// What `$ref` refers to; nullopt: it is not a JSON Pointer into this schema, or leads to no value.
std::optional<View> target(View root, View reference) {
  const std::string text = reference.string();
  if (text.empty() || text[0] != '#' || (text.size() > 1 && text[1] != '/')) return std::nullopt;
  const auto pointer = json::Pointer::parse(text);
  return pointer ? pointer->resolve(root) : std::nullopt;
}

// Whether a branch of anyOf or oneOf can apply to a value of this kind.
bool may_apply(View root, View branch, Kind kind, int depth) {
  if (branch.kind() == Kind::boolean) return branch.boolean();
  if (const auto type = branch.find("type")) return type_admits(*type, kind);
  if (const auto reference = branch.find("$ref"); reference && depth < kDeepest) {
    const auto there = target(root, *reference);
    return !there || may_apply(root, *there, kind, depth + 1);
  }
  return true;
}

// Whether the branch requires members that the value lacks, so that it cannot apply.
bool requires_missing_members(View branch, View value) {
  const auto required = branch.find("required");
  if (!required || !value.is_object()) return false;
  for (const View name : required->items()) {
    if (!value.find(name.string())) return true;
  }
  return false;
}

}  // namespace

Constraint::Constraint(View root, View schema, View value) : root_(root) {
  add(schema, value, /*depth=*/0);
}

void Constraint::add(View schema, View value, int depth) {
  if (schema.is_boolean()) {
    if (!schema.boolean()) fixed_ = true;
    return;
  }
  if (depth > kDeepest || !schema.is_object()) {
    fixed_ = true;
    return;
  }
  const bool is_root = schema.offset() == root_.offset();
  for (const std::string_view keyword : kOpaque) {
    if (schema.find(keyword) && !(is_root && keyword == "$id")) fixed_ = true;
  }
  schemas_.push_back(schema);
  if (const auto reference = schema.find("$ref")) add_reference(*reference, value, depth);
  if (const auto all = schema.find("allOf")) {
    for (const View part : all->items()) add(part, value, depth + 1);
  }
  for (const std::string_view choice : {"anyOf", "oneOf"}) {
    if (const auto branches = schema.find(choice)) add_choice(*branches, value, depth);
  }
}

void Constraint::add_reference(View reference, View value, int depth) {
  if (const auto there = target(root_, reference)) {
    add(*there, value, depth + 1);
  } else {
    fixed_ = true;
  }
}

// Finds the only branch that can apply, by the kind of the value and the members that the branch
// requires. A cut value keeps its kind and these members, so the same branch applies to it. If no
// branch or several can apply, the value is fixed.
void Constraint::add_choice(View branches, View value, int depth) {
  std::vector<View> applicable;
  for (const View branch : branches.items()) {
    if (!may_apply(root_, branch, value.kind(), depth)) continue;
    if (!requires_missing_members(branch, value)) applicable.push_back(branch);
  }
  if (applicable.size() == 1) {
    add(applicable.front(), value, depth + 1);
  } else {
    fixed_ = true;
  }
}

std::size_t Constraint::largest_of(std::string_view keyword) const {
  std::size_t largest = 0;
  for (const View schema : schemas_) {
    const auto found = schema.find(keyword);
    const auto value = found ? found->real() : std::nullopt;
    constexpr double enough = 1e15;  // larger values would not fit into std::size_t
    if (value && *value > 0) {
      largest = std::max(largest, static_cast<std::size_t>(std::min(*value, enough)));
    }
  }
  return largest;
}

bool Constraint::any_has(std::string_view keyword) const {
  return std::any_of(schemas_.begin(), schemas_.end(),
                     [&](View schema) { return schema.find(keyword).has_value(); });
}

bool Constraint::needs_member(std::string_view key) const {
  for (const View schema : schemas_) {
    if (const auto required = schema.find("required")) {
      for (const View name : required->items()) {
        if (name.equals(key)) return true;
      }
    }
    // The members on both sides of a dependency are kept.
    if (const auto dependent = schema.find("dependentRequired")) {
      for (const auto& [trigger, names] : dependent->members()) {
        if (trigger.equals(key)) return true;
        for (const View name : names.items()) {
          if (name.equals(key)) return true;
        }
      }
    }
  }
  return false;
}

std::size_t Constraint::min_items() const {
  std::size_t least = largest_of("minItems");
  for (const View schema : schemas_) {
    for (const std::string_view keyword : {"prefixItems", "items"}) {
      const auto positions = schema.find(keyword);
      if (positions && positions->is_array()) least = std::max(least, positions->size());
    }
  }
  return least;
}

bool Constraint::requires_unique_items() const { return any_has("uniqueItems"); }

bool Constraint::may_clip() const {
  if (fixed_) return false;
  for (const std::string_view keyword :
       {"pattern", "format", "contentEncoding", "contentMediaType", "contentSchema"}) {
    if (any_has(keyword)) return false;
  }
  return true;
}

bool Constraint::may_mark_members() const {
  if (fixed_ || any_has("maxProperties") || any_has("propertyNames")) return false;
  return std::none_of(schemas_.begin(), schemas_.end(), [](View schema) {
    for (const std::string_view keyword : {"additionalProperties", "unevaluatedProperties"}) {
      const auto others = schema.find(keyword);
      if (others && !(others->is_boolean() && others->boolean())) return true;
    }
    return false;
  });
}

bool Constraint::may_mark_items() const {
  if (fixed_) return false;
  for (const std::string_view keyword :
       {"items", "prefixItems", "additionalItems", "unevaluatedItems", "maxItems"}) {
    if (any_has(keyword)) return false;
  }
  return true;
}

Constraint Constraint::member(View key, View value) const {
  Constraint inner;
  inner.root_ = root_;
  inner.fixed_ = fixed_;
  const std::string name = key.string();
  for (const View schema : schemas_) {
    const auto properties = schema.find("properties");
    const auto declared = properties ? properties->find(name) : std::nullopt;
    if (declared) inner.add(*declared, value, /*depth=*/0);
    if (schema.find("patternProperties")) inner.fixed_ = true;
    if (const auto others = schema.find("additionalProperties"); others && !declared) {
      inner.add(*others, value, /*depth=*/0);
    }
    if (const auto others = schema.find("unevaluatedProperties"); others && others->is_object()) {
      inner.fixed_ = true;
    }
  }
  return inner;
}

Constraint Constraint::item(std::size_t position, View value) const {
  Constraint inner;
  inner.root_ = root_;
  inner.fixed_ = fixed_ || requires_unique_items();
  for (const View schema : schemas_) {
    const auto prefix = schema.find("prefixItems");
    const auto items = schema.find("items");
    if (prefix && position < prefix->size()) {
      inner.add(*prefix->item(position), value, /*depth=*/0);
    } else if (items && items->is_array()) {
      inner.fixed_ = true;  // a tuple of draft-07: one schema for each position
    } else if (items) {
      inner.add(*items, value, /*depth=*/0);
    }
    if (schema.find("unevaluatedItems")) inner.fixed_ = true;
  }
  return inner;
}

}  // namespace enfold::budget::detail
