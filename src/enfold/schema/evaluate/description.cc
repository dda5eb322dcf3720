// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/evaluate/description.h"

#include "enfold/base/text.h"
#include "enfold/json/duplicate_members.h"
#include "enfold/json/write.h"

#include <cstring>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

constexpr std::size_t kLongest = 60;      // bytes of a value in a message
constexpr std::size_t kMostChoices = 12;  // values of an `enum` in a message

std::string shown(json::View value) {
  return value.is_string() ? quoted(value.string()) : utf8::shortened(value.raw(), kLongest);
}

// "a, b or c".
template <class Texts>
std::string either(const Texts& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i != 0) out += i + 1 == texts.size() ? " or " : ", ";
    out += texts[i];
  }
  return out;
}

// "object with \"a\" and \"b\"": the required members, if they are few.
std::string describe_object(const ObjectRules& rules) {
  constexpr std::size_t most_named = 4;
  std::string out = "object";
  if (rules.required.size() > most_named) return out;
  for (std::size_t i = 0; i < rules.required.size(); ++i) {
    out += i == 0 ? " with " : i + 1 == rules.required.size() ? " and " : ", ";
    out += quoted(rules.name_of_bit(rules.required[i]));
  }
  return out;
}

// What a value must be to match the schema; empty: anything, or the schema has rules that a short
// text cannot state.
std::string describe_node(const Program& program, NodeId id) {
  const Node& node = program.nodes[without_references(program, id)];
  if (node.constant != kNone) return choices(program.values[node.constant], /*is_const=*/true);
  if (node.choices != kNone) return choices(program.values[node.choices], /*is_const=*/false);
  if (node.rejects || node.types == kAnyType) return {};
  std::string out = type_names(node.types);
  if (node.types == type_bit(json::Kind::object) && node.objects != kNone) {
    return describe_object(program.objects[node.objects]);
  }
  if (node.types != type_bit(json::Kind::array) || node.arrays == kNone) return out;
  const NodeId items = program.arrays[node.arrays].rest;
  if (items == kNone) return out;
  const TypeSet types = program.nodes[without_references(program, items)].types;
  const std::string each = types == kAnyType ? "" : type_names(types);
  return each.empty() || each.find(' ') != std::string::npos ? out : out + " of " + each + "s";
}

// Any well-mixed bits would do: 2^64 divided by the golden ratio, and digits of pi.
constexpr std::uint64_t kHashFactor = 0x9e3779b97f4a7c15U;
constexpr std::uint64_t kHashStart = 0x243f6a8885a308d3U;

std::uint64_t mix(std::uint64_t hash, std::uint64_t part) {
  hash = (hash ^ part) * kHashFactor;
  return hash ^ hash >> 29;
}

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = mix(kHashStart, text.size());
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    hash = mix(hash, word);
    text.remove_prefix(sizeof word);
  }
  for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

std::string quoted(std::string_view text) {
  const std::string_view start = utf8::prefix(text, kLongest);
  std::string json = json::quote(start);
  if (start.size() < text.size()) json.insert(json.size() - 1, "…");
  return json;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string describe(json::View value) {
  switch (value.kind()) {
    case json::Kind::null: return "null";
    case json::Kind::boolean: return value.boolean() ? "boolean true" : "boolean false";
    case json::Kind::number: return "number " + utf8::shortened(value.number(), kLongest);
    case json::Kind::string: return "string " + shown(value);
    case json::Kind::array:
      return value.size() == 0 ? "empty array" : "array of " + counted(value.size(), "item");
    case json::Kind::object:
      return value.size() == 0 ? "empty object" : "object with " + counted(value.size(), "member");
  }
  return {};
}

std::string type_names(TypeSet types) {
  std::vector<std::string_view> names;
  for (const json::Kind kind : {json::Kind::object, json::Kind::array, json::Kind::string,
                                json::Kind::number, json::Kind::boolean}) {
    if ((types & type_bit(kind)) != 0) names.push_back(json::name(kind));
  }
  if ((types & kInteger) != 0 && (types & type_bit(json::Kind::number)) == 0)
    names.push_back("integer");
  if ((types & type_bit(json::Kind::null)) != 0) names.push_back("null");
  return names.empty() ? "nothing" : either(names);
}

NodeId without_references(const Program& program, NodeId id) {
  constexpr int most_hops = 8;  // references may form a cycle
  for (int hops = 0; hops < most_hops; ++hops) {
    const Node& node = program.nodes[id];
    if (node.applicator_count != 1 || node.types != kAnyType || node.objects != kNone ||
        node.arrays != kNone || node.constant != kNone || node.choices != kNone) {
      break;
    }
    const Applicator& only = program.applicators[node.first_applicator];
    if (only.op != Op::ref) break;
    id = program.children[only.first];
  }
  return id;
}

std::string describe_alternatives(const Program& program, const Applicator& applicator) {
  constexpr std::size_t most_named = 6;
  if (applicator.count > most_named) return {};
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < applicator.count; ++i) {
    all.push_back(describe_node(program, program.children[applicator.first + i]));
    if (all.back().empty()) return {};
  }
  return either(all);
}

std::string choices(const std::vector<json::View>& values, bool is_const) {
  if (is_const) return "exactly " + shown(values.front());
  std::string text = "one of ";
  for (std::size_t i = 0; i < values.size() && i < kMostChoices; ++i) {
    if (i != 0) text += ", ";
    text += shown(values[i]);
  }
  if (values.size() > kMostChoices) {
    text += fmt::format(" and {} more", values.size() - kMostChoices);
  }
  return values.empty() ? "nothing" : text;
}

bool schema_equal(json::View a, json::View b) {
  return json::detail::equal_with(a, b, [](json::View x, json::View y) {
    if (x.is_number()) return json::Number(x.number()) == json::Number(y.number());
    return x.is_string() && json::detail::equal_strings(x, y);
  });
}

std::uint64_t schema_hash(json::View value) {
  switch (value.kind()) {
    case json::Kind::null: return 1;
    case json::Kind::boolean: return value.boolean() ? 2 : 3;
    case json::Kind::number: return json::Number(value.number()).hash();
    case json::Kind::string:
      return hash_text(value.has_escapes() ? value.string() : value.string_source());
    case json::Kind::array: {
      std::uint64_t hash = 5;
      for (const json::View item : value.items()) hash = mix(hash, schema_hash(item));
      return hash;
    }
    case json::Kind::object: {
      std::uint64_t hash = 7;
      for (const json::detail::Entry& entry : json::detail::effective_members(value)) {
        hash = mix(mix(hash, hash_text(entry.key)), schema_hash(entry.value));
      }
      return hash;
    }
  }
  return 0;
}

}  // namespace enfold::schema::detail
