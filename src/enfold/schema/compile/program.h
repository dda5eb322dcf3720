// SPDX-License-Identifier: Apache-2.0
// A compiled schema: one node per schema object, with its keywords grouped by the kind of value
// they apply to.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/number.h"
#include "enfold/schema/compile/index.h"
#include "enfold/schema/pattern/pattern.h"
#include "enfold/schema/schema.h"

#include <limits>

namespace enfold::schema::detail {

using NodeId = std::uint32_t;
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// One bit per json::Kind, and one for numbers that are integers. No bit: no value is allowed.
using TypeSet = std::uint8_t;
inline constexpr TypeSet kAnyType = 0x7F;
inline constexpr TypeSet kInteger = 0x40;
[[nodiscard]] constexpr TypeSet type_bit(json::Kind kind) {
  return static_cast<TypeSet>(1U << static_cast<unsigned>(kind));
}

struct Bound {
  json::Number number;
  std::string_view text;  ///< as in the schema
};

struct NumberRules {
  std::optional<Bound> minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
};

struct StringRules {
  std::uint64_t least = 0;          ///< minLength, in code points
  std::uint64_t most = kUnlimited;  ///< maxLength
  std::uint32_t pattern = kNone;    ///< index in Program::patterns
};

struct ArrayRules {
  std::uint64_t least = 0;          ///< minItems
  std::uint64_t most = kUnlimited;  ///< maxItems
  bool unique = false;
  std::vector<NodeId> prefix;  ///< for the first items, by position
  NodeId rest = kNone;         ///< for the other items
  NodeId contains = kNone;
  std::uint64_t least_contained = 1;  ///< items that `contains` must accept
  std::uint64_t most_contained = kUnlimited;
  bool contains_counts_as_evaluated = false;  ///< for unevaluatedItems; not in draft-07
};

/// A member name used by a keyword.
struct Name {
  std::string text;
  NodeId node = kNone;  ///< the schema in `properties`; kNone: none
  /// Number of the bit that the evaluator sets if the object has the member; kNone: not needed.
  std::uint32_t presence_bit = kNone;
};

struct ObjectRules {
  struct Dependency {
    std::uint32_t if_present;     ///< presence bit of the member that requires `needs` or `node`
    std::uint32_t needs = kNone;  ///< presence bit of a member that the object must have too
    NodeId node = kNone;          ///< or a schema that the object must match
  };
  std::uint64_t least = 0;          ///< minProperties
  std::uint64_t most = kUnlimited;  ///< maxProperties
  std::vector<Name> names;          ///< sorted by size, then bytes
  /// The names of n bytes begin at names[by_size[n]] and end before names[by_size[n + 1]].
  std::vector<std::uint32_t> by_size{0};
  std::vector<std::pair<std::uint32_t, NodeId>> patterns;  ///< index in Program::patterns, schema
  NodeId additional = kNone;
  NodeId property_names = kNone;
  std::uint32_t presence_bits = 0;      ///< number of names with a presence bit
  std::vector<std::uint32_t> required;  ///< presence bits of the required members
  std::vector<Dependency> dependencies;
  bool old_dependencies = false;  ///< from `dependencies` of draft-07, which messages then name

  /// Sorts the names and prepares find().
  void index_names();
  /// nullptr: no keyword uses the name.
  [[nodiscard]] const Name* find(std::string_view text) const;
  [[nodiscard]] std::string_view name_of_bit(std::uint32_t presence_bit) const;
};

enum class Op : std::uint8_t { ref, dynamic_ref, all_of, any_of, one_of, negation, condition };

/// A keyword that applies subschemas to the same value.
struct Applicator {
  Op op;
  std::uint32_t name = kNone;  ///< id of a dynamic reference's name; kNone: another keyword
  std::uint32_t first = 0;     ///< index in Program::children of the first subschema
  std::uint32_t count = 0;     ///< of `condition` always 3: if, then and else, which may be kNone
};

struct Node {
  Place place;
  bool rejects = false;  ///< the schema `false`
  TypeSet types = kAnyType;
  std::uint32_t constant = kNone;  ///< `const`: index in Program::values, of a list of one
  std::uint32_t choices = kNone;   ///< `enum`: index in Program::values
  std::uint32_t numbers = kNone;   ///< index in Program::numbers; the next three accordingly
  std::uint32_t strings = kNone;
  std::uint32_t arrays = kNone;
  std::uint32_t objects = kNone;
  std::uint32_t first_applicator = 0;  ///< index in Program::applicators
  std::uint32_t applicator_count = 0;
  NodeId unevaluated_items = kNone;
  NodeId unevaluated_properties = kNone;
};

struct Program {
  NodeId root = 0;
  std::vector<Node> nodes;
  std::vector<std::vector<json::View>> values;  ///< of one `const` or `enum` each
  std::vector<NumberRules> numbers;
  std::vector<StringRules> strings;
  std::vector<ArrayRules> arrays;
  std::vector<ObjectRules> objects;
  std::vector<Applicator> applicators;
  std::vector<NodeId> children;  ///< of the applicators
  std::vector<Pattern> patterns;
  /// By ResourceId: id of the name, and node, of each dynamic anchor that a `$dynamicRef` may mean.
  std::vector<std::vector<std::pair<std::uint32_t, NodeId>>> dynamic_anchors;
  bool is_dynamic = false;  ///< some reference is dynamic

  std::vector<std::string> resource_uris;  ///< by ResourceId
  Steps steps;
  std::vector<json::Value> documents;  ///< keeps the values and number texts alive

  [[nodiscard]] std::string location(const Node& node) const {
    return resource_uris[node.place.resource] + "#" + steps.pointer(node.place.step);
  }
};

[[nodiscard]] Result<Program> compile_schema(const json::Value& schema, const Options& options);

}  // namespace enfold::schema::detail
