// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/pointer.h"
#include "enfold/schema/compile/compiler.h"
#include "enfold/schema/compile/index.h"

#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

void ref(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_string(), "a URI reference", value)) return;
  const std::string& base = c.index().resource(draft.node.place.resource).uri;
  const auto target = c.index().resolve(resolve_uri(base, value.string()), c.where(draft));
  if (!target) return c.set_error(target.error());
  c.add(draft, Op::ref, {c.node(*target)});
}

// Dynamic only if it initially resolves to a dynamic anchor; else a plain reference.
void dynamic_ref(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_string(), "a URI reference", value)) return;
  const std::string& base = c.index().resource(draft.node.place.resource).uri;
  const std::string uri = resolve_uri(base, value.string());
  const auto target = c.index().resolve(uri, c.where(draft));
  if (!target) return c.set_error(target.error());
  const std::string name = decode_fragment(split_fragment(uri).fragment);
  const auto anchor = target->schema.find("$dynamicAnchor");
  if (!anchor || !anchor->equals(name)) return c.add(draft, Op::ref, {c.node(*target)});
  const auto fresh = static_cast<std::uint32_t>(c.dynamic_names().size());
  const auto id = c.dynamic_names().emplace(name, fresh).first->second;
  c.add(draft, Op::dynamic_ref, {c.node(*target)}, id);
}

void list(Compiler& c, Draft& draft, json::View value, Op op) {
  if (!c.expect(draft, value.is_array() && value.size() != 0, "a non-empty array of schemas",
                value)) {
    return;
  }
  std::vector<NodeId> nodes;
  for (const json::View schema : value.items()) nodes.push_back(c.child(schema));
  c.add(draft, op, nodes);
}

std::optional<NodeId> optional_child(Compiler& c, json::View parent, std::string_view keyword) {
  const auto schema = parent.find(keyword);
  if (!schema) return std::nullopt;
  return c.child(*schema);
}

void condition(Compiler& c, Draft& draft, json::View value) {
  c.add(draft, Op::condition,
        {c.child(value), optional_child(c, draft.schema, "then").value_or(kNone),
         optional_child(c, draft.schema, "else").value_or(kNone)});
}

void prefix_items(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_array() && value.size() != 0, "a non-empty array of schemas",
                value)) {
    return;
  }
  for (const json::View schema : value.items()) c.arrays(draft).prefix.push_back(c.child(schema));
}

void items(Compiler& c, Draft& draft, json::View value) {
  if (value.is_array()) {
    c.set_error(Error{ErrorCode::invalid_input, "expected a schema, found an array of schemas",
                      c.where(draft), "Draft 2020-12 spells this \"prefixItems\"."});
    return;
  }
  c.arrays(draft).rest = c.child(value);
}

void items_07(Compiler& c, Draft& draft, json::View value) {
  if (!value.is_array()) {
    c.arrays(draft).rest = c.child(value);
    return;
  }
  for (const json::View schema : value.items()) c.arrays(draft).prefix.push_back(c.child(schema));
}

// Applies only if `items` is an array.
void additional_items(Compiler& c, Draft& draft, json::View value) {
  const auto items = draft.schema.find("items");
  if (items && items->is_array()) c.arrays(draft).rest = c.child(value);
}

void contains(Compiler& c, Draft& draft, json::View value) {
  c.arrays(draft).contains = c.child(value);
  c.arrays(draft).contains_evaluates = draft.rules.dialect == Dialect::draft_2020_12;
}

void properties(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::string text = member.key.string();
    Name& name = draft.names[text];
    name.text = text;
    name.node = c.child(member.value);
  }
  (void)c.objects(draft);
}

void pattern_properties(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::string text = member.key.string();
    const std::uint32_t id = c.pattern_id(text, json::below(c.where(draft), text));
    c.objects(draft).patterns.emplace_back(id, c.child(member.value));
  }
}

void dependent_schemas(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::uint32_t trigger = c.watch(draft, member.key.string());
    c.objects(draft).dependencies.push_back({trigger, kNone, c.child(member.value)});
  }
}

void dependencies(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_object(), "an object of schemas or lists of names", value)) return;
  c.objects(draft).old_dependencies = true;
  for (const json::Member& member : value.members()) {
    const std::uint32_t trigger = c.watch(draft, member.key.string());
    if (member.value.is_array()) {
      needs(c, draft, trigger, member.value);
    } else {
      c.objects(draft).dependencies.push_back({trigger, kNone, c.child(member.value)});
    }
  }
}

// Sorted by name; a name that means different things in the two dialects has two rows.
constexpr auto kKeywords = std::to_array<Keyword>({
    {"$dynamicRef", true, false, Vocabulary::core, dynamic_ref},
    {"$ref", true, true, Vocabulary::core, ref},
    {"additionalItems", false, true, Vocabulary::applicator, additional_items},
    {"additionalProperties", true, true, Vocabulary::applicator,
     [](Compiler& c, Draft& draft, json::View value) {
       c.objects(draft).additional = c.child(value);
     }},
    {"allOf", true, true, Vocabulary::applicator,
     [](Compiler& c, Draft& draft, json::View value) { list(c, draft, value, Op::all_of); }},
    {"anyOf", true, true, Vocabulary::applicator,
     [](Compiler& c, Draft& draft, json::View value) { list(c, draft, value, Op::any_of); }},
    {"contains", true, true, Vocabulary::applicator, contains},
    {"dependencies", false, true, Vocabulary::applicator, dependencies},
    {"dependentSchemas", true, false, Vocabulary::applicator, dependent_schemas},
    {"if", true, true, Vocabulary::applicator, condition},
    {"items", true, false, Vocabulary::applicator, items},
    {"items", false, true, Vocabulary::applicator, items_07},
    {"not", true, true, Vocabulary::applicator,
     [](Compiler& c, Draft& draft, json::View value) {
       c.add(draft, Op::negation, {c.child(value)});
     }},
    {"oneOf", true, true, Vocabulary::applicator,
     [](Compiler& c, Draft& draft, json::View value) { list(c, draft, value, Op::one_of); }},
    {"patternProperties", true, true, Vocabulary::applicator, pattern_properties},
    {"prefixItems", true, false, Vocabulary::applicator, prefix_items},
    {"properties", true, true, Vocabulary::applicator, properties},
    {"propertyNames", true, true, Vocabulary::applicator,
     [](Compiler& c, Draft& draft, json::View value) {
       c.objects(draft).property_names = c.child(value);
     }},
    {"unevaluatedItems", true, false, Vocabulary::unevaluated,
     [](Compiler& c, Draft& draft, json::View value) {
       draft.node.unevaluated_items = c.child(value);
     }},
    {"unevaluatedProperties", true, false, Vocabulary::unevaluated,
     [](Compiler& c, Draft& draft, json::View value) {
       draft.node.unevaluated_properties = c.child(value);
     }},
});

}  // namespace

std::span<const Keyword> applicator_keywords() { return kKeywords; }

}  // namespace enfold::schema::detail
