// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/pointer.h"
#include "enfold/schema/compile/compiler.h"
#include "enfold/schema/compile/uri.h"

#include <fmt/format.h>

namespace enfold::schema::detail {

void Compiler::add(Draft& draft, Op op, const std::vector<NodeId>& nodes, std::uint32_t name) {
  const auto first = static_cast<std::uint32_t>(program_.children.size());
  program_.children.insert(program_.children.end(), nodes.begin(), nodes.end());
  draft.applicators.push_back(
      Applicator{op, name, first, static_cast<std::uint32_t>(nodes.size())});
}

void Compiler::ref(Draft& draft, json::View value) {
  if (!expect(draft, value.is_string(), "a URI reference", value)) return;
  const std::string& base = index_.resource(draft.node.place.resource).uri;
  const auto target = index_.resolve(resolve_uri(base, value.string()), where(draft));
  if (!target) return set_error(target.error());
  add(draft, Op::ref, {node(*target)});
}

// Dynamic only when it first leads to a dynamic anchor; otherwise a plain reference.
void Compiler::dynamic_ref(Draft& draft, json::View value) {
  if (!expect(draft, value.is_string(), "a URI reference", value)) return;
  const std::string& base = index_.resource(draft.node.place.resource).uri;
  const std::string uri = resolve_uri(base, value.string());
  const auto target = index_.resolve(uri, where(draft));
  if (!target) return set_error(target.error());
  const std::string name = percent_decode(split_fragment(uri).fragment);
  const auto anchor = target->schema.find("$dynamicAnchor");
  if (!anchor || !anchor->equals(name)) return add(draft, Op::ref, {node(*target)});
  const auto fresh = static_cast<std::uint32_t>(dynamic_names_.size());
  const auto id = dynamic_names_.emplace(name, fresh).first->second;
  add(draft, Op::dynamic_ref, {node(*target)}, id);
}

void Compiler::list(Draft& draft, json::View value, Op op) {
  if (!expect(draft, value.is_array() && value.size() != 0, "a non-empty array of schemas",
              value)) {
    return;
  }
  std::vector<NodeId> nodes;
  for (const json::View schema : value.items()) nodes.push_back(child(schema));
  add(draft, op, nodes);
}

void Compiler::negation(Draft& draft, json::View value) {
  add(draft, Op::negation, {child(value)});
}

std::optional<NodeId> Compiler::optional_child(json::View parent, std::string_view keyword) {
  const auto schema = parent.find(keyword);
  if (!schema) return std::nullopt;
  return child(*schema);
}

void Compiler::condition(Draft& draft, json::View value) {
  add(draft, Op::condition,
      {child(value), optional_child(draft.schema, "then").value_or(kNone),
       optional_child(draft.schema, "else").value_or(kNone)});
}

void Compiler::prefix_items(Draft& draft, json::View value) {
  if (!expect(draft, value.is_array() && value.size() != 0, "a non-empty array of schemas",
              value)) {
    return;
  }
  for (const json::View schema : value.items()) arrays(draft).prefix.push_back(child(schema));
}

void Compiler::items(Draft& draft, json::View value) {
  if (value.is_array()) {
    set_error(Error{ErrorCode::invalid_input, "expected a schema, found an array of schemas",
                    where(draft), "Draft 2020-12 spells this \"prefixItems\"."});
    return;
  }
  arrays(draft).rest = child(value);
}

void Compiler::items_07(Draft& draft, json::View value) {
  if (!value.is_array()) {
    arrays(draft).rest = child(value);
    return;
  }
  for (const json::View schema : value.items()) arrays(draft).prefix.push_back(child(schema));
}

// Counts only beside `items` as a list.
void Compiler::additional_items(Draft& draft, json::View value) {
  const auto items = draft.schema.find("items");
  if (items && items->is_array()) arrays(draft).rest = child(value);
}

void Compiler::contains(Draft& draft, json::View value) {
  arrays(draft).contains = child(value);
  arrays(draft).contains_evaluates = draft.rules.dialect == Dialect::draft_2020_12;
}

void Compiler::properties(Draft& draft, json::View value) {
  if (!expect(draft, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::string text = member.key.string();
    Name& name = draft.names[text];
    name.text = text;
    name.node = child(member.value);
  }
  (void)objects(draft);
}

void Compiler::pattern_properties(Draft& draft, json::View value) {
  if (!expect(draft, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::string text = member.key.string();
    const std::uint32_t id = pattern_id(text, json::below(where(draft), text));
    objects(draft).patterns.emplace_back(id, child(member.value));
  }
}

void Compiler::additional_properties(Draft& draft, json::View value) {
  objects(draft).additional = child(value);
}

void Compiler::property_names(Draft& draft, json::View value) {
  objects(draft).property_names = child(value);
}

void Compiler::dependent_schemas(Draft& draft, json::View value) {
  if (!expect(draft, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::uint32_t trigger = watch(draft, member.key.string());
    objects(draft).dependencies.push_back({trigger, kNone, child(member.value)});
  }
}

void Compiler::dependencies(Draft& draft, json::View value) {
  if (!expect(draft, value.is_object(), "an object of schemas or lists of names", value)) return;
  objects(draft).old_dependencies = true;
  for (const json::Member& member : value.members()) {
    const std::uint32_t trigger = watch(draft, member.key.string());
    if (member.value.is_array()) {
      needs(draft, trigger, member.value);
    } else {
      objects(draft).dependencies.push_back({trigger, kNone, child(member.value)});
    }
  }
}

void Compiler::unevaluated_items(Draft& draft, json::View value) {
  draft.node.unevaluated_items = child(value);
}

void Compiler::unevaluated_properties(Draft& draft, json::View value) {
  draft.node.unevaluated_properties = child(value);
}

}  // namespace enfold::schema::detail
