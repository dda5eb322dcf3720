// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/pointer.h"
#include "enfold/schema/compile/compiler.h"
#include "enfold/schema/compile/index.h"
#include "enfold/schema/evaluate/description.h"

#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

// Adds dependencies: an object with the member whose presence bit is `trigger` must also have the
// members `names`.
void add_dependencies(Compiler& c, NodeBuilder& builder, std::uint32_t trigger, json::View names) {
  for (const json::View name : names.items()) {
    if (!c.expect(builder, name.is_string(), "a member name", name)) return;
    const std::uint32_t bit = c.presence_bit(builder, name.string());
    c.objects(builder).dependencies.push_back({.if_present = trigger, .needs = bit});
  }
}

// The functions below read the value of one keyword each; kKeywords lists them.
void ref(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_string(), "a URI reference", value)) return;
  const std::string& base = c.index().resource(builder.node.place.resource).uri;
  const auto target = c.index().resolve(resolve_uri(base, value.string()), c.where(builder));
  if (!target) return c.set_error(target.error());
  c.add(builder, Op::ref, {c.node(*target)});
}

// The reference is dynamic only if its initial target is a dynamic anchor of its name. Otherwise it
// is a plain reference.
void dynamic_ref(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_string(), "a URI reference", value)) return;
  const std::string& base = c.index().resource(builder.node.place.resource).uri;
  const std::string uri = resolve_uri(base, value.string());
  const auto target = c.index().resolve(uri, c.where(builder));
  if (!target) return c.set_error(target.error());
  const std::string name = decode_fragment(split_fragment(uri).fragment);
  const auto anchor = target->schema.find("$dynamicAnchor");
  if (!anchor || !anchor->equals(name)) return c.add(builder, Op::ref, {c.node(*target)});
  const auto fresh = static_cast<std::uint32_t>(c.dynamic_names().size());
  const auto id = c.dynamic_names().emplace(name, fresh).first->second;
  c.add(builder, Op::dynamic_ref, {c.node(*target)}, id);
}

template <Op op>
void schema_list(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_array() && value.size() != 0, "a non-empty array of schemas",
                value)) {
    return;
  }
  std::vector<NodeId> nodes;
  for (const json::View schema : value.items()) nodes.push_back(c.child(schema));
  c.add(builder, op, nodes);
}

// The node of the subschema at another keyword of `parent`; nullopt: there is no such keyword.
std::optional<NodeId> optional_child(Compiler& c, json::View parent, std::string_view keyword) {
  const auto schema = parent.find(keyword);
  if (!schema) return std::nullopt;
  return c.child(*schema);
}

void condition(Compiler& c, NodeBuilder& builder, json::View value) {
  c.add(builder, Op::condition,
        {c.child(value), optional_child(c, builder.schema, "then").value_or(kNone),
         optional_child(c, builder.schema, "else").value_or(kNone)});
}

void prefix_items(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_array() && value.size() != 0, "a non-empty array of schemas",
                value)) {
    return;
  }
  for (const json::View schema : value.items()) c.arrays(builder).prefix.push_back(c.child(schema));
}

void items(Compiler& c, NodeBuilder& builder, json::View value) {
  if (value.is_array()) {
    c.set_error(Error{ErrorCode::invalid_input, "expected a schema, found an array of schemas",
                      c.where(builder), "Draft 2020-12 spells this \"prefixItems\"."});
    return;
  }
  c.arrays(builder).rest = c.child(value);
}

void items_07(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!value.is_array()) {
    c.arrays(builder).rest = c.child(value);
    return;
  }
  for (const json::View schema : value.items()) c.arrays(builder).prefix.push_back(c.child(schema));
}

// `additionalItems` applies only if `items` is an array.
void additional_items(Compiler& c, NodeBuilder& builder, json::View value) {
  const auto items = builder.schema.find("items");
  if (items && items->is_array()) c.arrays(builder).rest = c.child(value);
}

void contains(Compiler& c, NodeBuilder& builder, json::View value) {
  c.arrays(builder).contains = c.child(value);
  c.arrays(builder).contains_counts_as_evaluated = builder.rules.dialect == Dialect::draft_2020_12;
}

void properties(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::string text = member.key.string();
    Name& name = builder.names[text];
    name.text = text;
    name.node = c.child(member.value);
  }
  (void)c.objects(builder);  // creates the rules even if `properties` is empty
}

void pattern_properties(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::string text = member.key.string();
    const std::uint32_t id = c.pattern_id(text, json::below(c.where(builder), text));
    c.objects(builder).patterns.emplace_back(id, c.child(member.value));
  }
}

void dependent_schemas(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_object(), "an object of schemas", value)) return;
  for (const json::Member& member : value.members()) {
    const std::uint32_t trigger = c.presence_bit(builder, member.key.string());
    c.objects(builder).dependencies.push_back(
        {.if_present = trigger, .node = c.child(member.value)});
  }
}

void dependencies(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_object(), "an object of schemas or lists of names", value))
    return;
  c.objects(builder).old_dependencies = true;  // messages name this keyword
  for (const json::Member& member : value.members()) {
    const std::uint32_t trigger = c.presence_bit(builder, member.key.string());
    if (member.value.is_array()) {
      add_dependencies(c, builder, trigger, member.value);
    } else {
      c.objects(builder).dependencies.push_back(
          {.if_present = trigger, .node = c.child(member.value)});
    }
  }
}

// The bit of a type; nullopt: there is no type of this name.
std::optional<TypeSet> type_of(json::View name) {
  for (const json::Kind kind : {json::Kind::null, json::Kind::boolean, json::Kind::number,
                                json::Kind::string, json::Kind::array, json::Kind::object}) {
    if (name.equals(json::name(kind))) return type_bit(kind);
  }
  if (name.equals("integer")) return kInteger;
  return std::nullopt;
}

constexpr std::string_view kTypeNames =
    "\"null\", \"boolean\", \"number\", \"integer\", \"string\", \"array\" or \"object\"";

void type(Compiler& c, NodeBuilder& builder, json::View value) {
  TypeSet types = 0;
  const auto add_type = [&](json::View name) {
    const auto bit = type_of(name);
    if (c.expect(builder, bit.has_value(), kTypeNames, name))
      types = static_cast<TypeSet>(types | *bit);
  };
  if (value.is_array()) {
    for (const json::View name : value.items()) add_type(name);
  } else {
    add_type(value);
  }
  builder.node.types = types;
}

void constant(Compiler& c, NodeBuilder& builder, json::View value) {
  builder.node.constant = static_cast<std::uint32_t>(c.program().values.size());
  c.program().values.push_back({value});
}

void enumeration(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_array(), "an array of values", value)) return;
  std::vector<json::View> values;
  for (const json::View item : value.items()) values.push_back(item);
  builder.node.choices = static_cast<std::uint32_t>(c.program().values.size());
  c.program().values.push_back(std::move(values));
}

template <std::optional<Bound> NumberRules::* member>
void bound(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_number(), "a number", value)) return;
  c.numbers(builder).*member = Bound{json::Number(value.number()), value.number()};
}

void multiple_of(Compiler& c, NodeBuilder& builder, json::View value) {
  constexpr std::size_t most_digits = 1000;
  if (!c.expect(builder, value.is_number(), "a number greater than 0", value)) return;
  const json::Number divisor(value.number());
  if (!c.expect(builder, !divisor.is_zero() && !divisor.is_negative(), "a number greater than 0",
                value)) {
    return;
  }
  if (!c.expect(builder, divisor.digits() <= most_digits,
                fmt::format("a number of at most {} digits", most_digits), value)) {
    return;
  }
  c.numbers(builder).multiple_of = Bound{divisor, value.number()};
}

void pattern(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_string(), "a regular expression", value)) return;
  c.strings(builder).pattern = c.pattern_id(value.string(), c.where(builder));
}

void unique_items(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_boolean(), "a boolean", value)) return;
  c.arrays(builder).unique = value.boolean();
}

void required(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_array(), "an array of member names", value)) return;
  for (const json::View name : value.items()) {
    if (!c.expect(builder, name.is_string(), "a member name", name)) return;
    const std::uint32_t bit = c.presence_bit(builder, name.string());
    c.objects(builder).required.push_back(bit);
  }
}

void dependent_required(Compiler& c, NodeBuilder& builder, json::View value) {
  if (!c.expect(builder, value.is_object(), "an object of lists of member names", value)) return;
  for (const json::Member& member : value.members()) {
    if (!c.expect(builder, member.value.is_array(), "an array of member names", member.value))
      return;
    add_dependencies(c, builder, c.presence_bit(builder, member.key.string()), member.value);
  }
}

// A count that limits the size of a string, array or object. `rules`: the function of Compiler that
// returns the rules; `member`: where the count is stored in them.
template <auto rules, auto member>
void count(Compiler& c, NodeBuilder& builder, json::View value) {
  (c.*rules)(builder).*member = c.read_count(builder, value);
}

template <NodeId ObjectRules::* member>
void object_child(Compiler& c, NodeBuilder& builder, json::View value) {
  c.objects(builder).*member = c.child(value);
}

template <NodeId Node::* member>
void node_child(Compiler& c, NodeBuilder& builder, json::View value) {
  builder.node.*member = c.child(value);
}

void negation(Compiler& c, NodeBuilder& builder, json::View value) {
  c.add(builder, Op::negation, {c.child(value)});
}

// Columns: name, is in 2020-12, is in draft-07, vocabulary, function that reads the value. Sorted
// by name; a name that means different things in the two dialects has two rows. `if` reads `then`
// and `else`. The index reads $id, $defs and the anchors.
constexpr auto kKeywords = std::to_array<Keyword>({
    {"$dynamicRef", true, false, Vocabulary::core, dynamic_ref},
    {"$ref", true, true, Vocabulary::core, ref},
    {"additionalItems", false, true, Vocabulary::applicator, additional_items},
    {"additionalProperties", true, true, Vocabulary::applicator,
     object_child<&ObjectRules::additional>},
    {"allOf", true, true, Vocabulary::applicator, schema_list<Op::all_of>},
    {"anyOf", true, true, Vocabulary::applicator, schema_list<Op::any_of>},
    {"const", true, true, Vocabulary::validation, constant},
    {"contains", true, true, Vocabulary::applicator, contains},
    {"dependencies", false, true, Vocabulary::applicator, dependencies},
    {"dependentRequired", true, false, Vocabulary::validation, dependent_required},
    {"dependentSchemas", true, false, Vocabulary::applicator, dependent_schemas},
    {"enum", true, true, Vocabulary::validation, enumeration},
    {"exclusiveMaximum", true, true, Vocabulary::validation,
     bound<&NumberRules::exclusive_maximum>},
    {"exclusiveMinimum", true, true, Vocabulary::validation,
     bound<&NumberRules::exclusive_minimum>},
    {"if", true, true, Vocabulary::applicator, condition},
    {"items", true, false, Vocabulary::applicator, items},
    {"items", false, true, Vocabulary::applicator, items_07},
    {"maxContains", true, false, Vocabulary::validation,
     count<&Compiler::arrays, &ArrayRules::most_contained>},
    {"maxItems", true, true, Vocabulary::validation, count<&Compiler::arrays, &ArrayRules::most>},
    {"maxLength", true, true, Vocabulary::validation,
     count<&Compiler::strings, &StringRules::most>},
    {"maxProperties", true, true, Vocabulary::validation,
     count<&Compiler::objects, &ObjectRules::most>},
    {"maximum", true, true, Vocabulary::validation, bound<&NumberRules::maximum>},
    {"minContains", true, false, Vocabulary::validation,
     count<&Compiler::arrays, &ArrayRules::least_contained>},
    {"minItems", true, true, Vocabulary::validation, count<&Compiler::arrays, &ArrayRules::least>},
    {"minLength", true, true, Vocabulary::validation,
     count<&Compiler::strings, &StringRules::least>},
    {"minProperties", true, true, Vocabulary::validation,
     count<&Compiler::objects, &ObjectRules::least>},
    {"minimum", true, true, Vocabulary::validation, bound<&NumberRules::minimum>},
    {"multipleOf", true, true, Vocabulary::validation, multiple_of},
    {"not", true, true, Vocabulary::applicator, negation},
    {"oneOf", true, true, Vocabulary::applicator, schema_list<Op::one_of>},
    {"pattern", true, true, Vocabulary::validation, pattern},
    {"patternProperties", true, true, Vocabulary::applicator, pattern_properties},
    {"prefixItems", true, false, Vocabulary::applicator, prefix_items},
    {"properties", true, true, Vocabulary::applicator, properties},
    {"propertyNames", true, true, Vocabulary::applicator,
     object_child<&ObjectRules::property_names>},
    {"required", true, true, Vocabulary::validation, required},
    {"type", true, true, Vocabulary::validation, type},
    {"unevaluatedItems", true, false, Vocabulary::unevaluated,
     node_child<&Node::unevaluated_items>},
    {"unevaluatedProperties", true, false, Vocabulary::unevaluated,
     node_child<&Node::unevaluated_properties>},
    {"uniqueItems", true, true, Vocabulary::validation, unique_items},
});

}  // namespace

std::span<const Keyword> keywords() { return kKeywords; }

}  // namespace enfold::schema::detail
