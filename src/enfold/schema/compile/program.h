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

/// One bit per Kind, and one for numbers that are integers.
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
  std::uint64_t least = 0;  ///< minLength, in code points; the next is maxLength
  std::uint64_t most = kUnlimited;
  std::uint32_t pattern = kNone;  ///< index in Program::patterns
};

struct ArrayRules {
  std::uint64_t least = 0;
  std::uint64_t most = kUnlimited;
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
  NodeId node = kNone;          ///< of `properties`
  std::uint32_t watch = kNone;  ///< bit set when the member is present
};

struct ObjectRules {
  struct Dependency {
    std::uint32_t if_present;     ///< watch of the member that requires the others
    std::uint32_t needs = kNone;  ///< watch of a member that must be present too
    NodeId node = kNone;          ///< or a schema that the object must meet
  };
  std::uint64_t least = 0;
  std::uint64_t most = kUnlimited;
  std::vector<Name> names;                ///< sorted by size, then bytes
  std::vector<std::uint32_t> by_size{0};  ///< names of n bytes: from [n] up to [n + 1]
  std::vector<std::pair<std::uint32_t, NodeId>> patterns;  ///< index in Program::patterns, schema
  NodeId additional = kNone;
  NodeId property_names = kNone;
  std::uint32_t watched = 0;            ///< number of watched names
  std::vector<std::uint32_t> required;  ///< watches of the required members
  std::vector<Dependency> dependencies;
  bool old_dependencies = false;  ///< `dependencies` of draft-07, for messages

  /// Sorts the names and prepares find().
  void index_names();
  [[nodiscard]] const Name* find(std::string_view text) const;
  [[nodiscard]] std::string_view watched_name(std::uint32_t watch) const;
};

enum class Op : std::uint8_t { ref, dynamic_ref, all_of, any_of, one_of, negation, condition };

/// A keyword that applies subschemas to the same value.
struct Applicator {
  Op op;
  std::uint32_t name = kNone;  ///< id of a dynamic reference's name
  std::uint32_t first = 0;     ///< into Program::children
  std::uint32_t count = 0;     ///< `condition`: if, then, else; the last two may be kNone
};

struct Node {
  Place place;
  bool rejects = false;  ///< the schema `false`
  TypeSet types = kAnyType;
  std::uint32_t constant = kNone;  ///< `const`: into Program::values, a list of one
  std::uint32_t choices = kNone;   ///< `enum`: into Program::values
  std::uint32_t numbers = kNone;   ///< into Program::numbers; the next three accordingly
  std::uint32_t strings = kNone;
  std::uint32_t arrays = kNone;
  std::uint32_t objects = kNone;
  std::uint32_t first_applicator = 0;
  std::uint32_t applicator_count = 0;
  NodeId unevaluated_items = kNone;
  NodeId unevaluated_properties = kNone;
};

struct Program {
  NodeId root = 0;
  std::vector<Node> nodes;
  std::vector<std::vector<json::View>> values;
  std::vector<NumberRules> numbers;
  std::vector<StringRules> strings;
  std::vector<ArrayRules> arrays;
  std::vector<ObjectRules> objects;
  std::vector<Applicator> applicators;
  std::vector<NodeId> children;
  std::vector<Pattern> patterns;
  /// By resource: name id and node of the dynamic anchors that a `$dynamicRef` uses.
  std::vector<std::vector<std::pair<std::uint32_t, NodeId>>> dynamic_anchors;
  bool is_dynamic = false;  ///< some reference is dynamic

  std::vector<std::string> resource_uris;
  Steps steps;
  std::vector<json::Value> documents;  ///< keeps the values and number texts alive

  [[nodiscard]] std::string location(const Node& node) const {
    return resource_uris[node.place.resource] + "#" + steps.pointer(node.place.step);
  }
};

[[nodiscard]] Result<Program> compile_schema(const json::Value& schema, const Options& options);

}  // namespace enfold::schema::detail
