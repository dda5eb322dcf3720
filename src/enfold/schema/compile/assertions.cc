// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/compile/compiler.h"
#include "enfold/schema/evaluate/description.h"

#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

std::optional<TypeSet> type_of(json::View name) {
  for (const json::Kind kind : {json::Kind::null, json::Kind::boolean, json::Kind::number,
                                json::Kind::string, json::Kind::array, json::Kind::object}) {
    if (name.equals(json::name(kind))) return type_bit(kind);
  }
  if (name.equals("integer")) return kInteger;
  return std::nullopt;
}

// Compiling that much takes about a second.
constexpr std::uint64_t kHeaviestPatterns = 60'000;

constexpr std::string_view kTypeNames =
    "\"null\", \"boolean\", \"number\", \"integer\", \"string\", \"array\" or \"object\"";

}  // namespace

void Compiler::type(Draft& draft, json::View value) {
  TypeSet types = 0;
  const auto add_type = [&](json::View name) {
    const auto bit = type_of(name);
    if (expect(draft, bit.has_value(), kTypeNames, name))
      types = static_cast<TypeSet>(types | *bit);
  };
  if (value.is_array()) {
    for (const json::View name : value.items()) add_type(name);
  } else {
    add_type(value);
  }
  draft.node.types = types;
}

void Compiler::constant(Draft& draft, json::View value) {
  draft.node.constant = static_cast<std::uint32_t>(program_.values.size());
  program_.values.push_back({value});
}

void Compiler::enumeration(Draft& draft, json::View value) {
  if (!expect(draft, value.is_array(), "an array of values", value)) return;
  std::vector<json::View> values;
  for (const json::View item : value.items()) values.push_back(item);
  draft.node.choices = static_cast<std::uint32_t>(program_.values.size());
  program_.values.push_back(std::move(values));
}

void Compiler::bound(Draft& draft, json::View value, std::optional<Bound> NumberRules::* member) {
  if (!expect(draft, value.is_number(), "a number", value)) return;
  numbers(draft).*member = Bound{json::Number(value.number()), value.number()};
}

void Compiler::multiple_of(Draft& draft, json::View value) {
  constexpr std::size_t most_digits = 1000;
  if (!expect(draft, value.is_number(), "a number greater than 0", value)) return;
  const json::Number divisor(value.number());
  if (!expect(draft, !divisor.is_zero() && !divisor.is_negative(), "a number greater than 0",
              value)) {
    return;
  }
  if (!expect(draft, divisor.digits() <= most_digits,
              fmt::format("a number of at most {} digits", most_digits), value)) {
    return;
  }
  numbers(draft).multiple_of = Bound{divisor, value.number()};
}

std::uint64_t Compiler::count(Draft& draft, json::View value) {
  const auto number = value.is_number() ? json::Number(value.number()).count() : std::nullopt;
  if (!expect(draft, number.has_value(), "an integer of at least 0", value)) return 0;
  return *number;
}

void Compiler::pattern(Draft& draft, json::View value) {
  if (!expect(draft, value.is_string(), "a regular expression", value)) return;
  strings(draft).pattern = pattern_id(value.string(), where(draft));
}

std::uint32_t Compiler::pattern_id(const std::string& text, std::string place) {
  const auto fresh = static_cast<std::uint32_t>(program_.patterns.size());
  const auto [at, inserted] = pattern_ids_.emplace(text, fresh);
  if (!inserted) return at->second;
  auto compiled = Pattern::compile(text);
  if (!compiled) {
    compiled.error().where = std::move(place);
    set_error(std::move(compiled.error()));
    return fresh;
  }
  pattern_weight_ += compiled->weight();
  if (pattern_weight_ > kHeaviestPatterns) {
    set_error(Error{ErrorCode::limit_exceeded, "the patterns of the schema are too large together",
                    std::move(place), "Use smaller repeats or \"maxLength\"."});
  }
  program_.patterns.push_back(std::move(*compiled));
  return fresh;
}

void Compiler::unique_items(Draft& draft, json::View value) {
  if (!expect(draft, value.is_boolean(), "a boolean", value)) return;
  arrays(draft).unique = value.boolean();
}

void Compiler::min_contains(Draft& draft, json::View value) {
  arrays(draft).least_contained = count(draft, value);
}

void Compiler::max_contains(Draft& draft, json::View value) {
  arrays(draft).most_contained = count(draft, value);
}

void Compiler::required(Draft& draft, json::View value) {
  if (!expect(draft, value.is_array(), "an array of member names", value)) return;
  for (const json::View name : value.items()) {
    if (!expect(draft, name.is_string(), "a member name", name)) return;
    const std::uint32_t bit = watch(draft, name.string());
    objects(draft).required.push_back(bit);
  }
}

void Compiler::needs(Draft& draft, std::uint32_t trigger, json::View names) {
  for (const json::View name : names.items()) {
    if (!expect(draft, name.is_string(), "a member name", name)) return;
    const std::uint32_t bit = watch(draft, name.string());
    objects(draft).dependencies.push_back({trigger, bit, kNone});
  }
}

void Compiler::dependent_required(Draft& draft, json::View value) {
  if (!expect(draft, value.is_object(), "an object of lists of member names", value)) return;
  for (const json::Member& member : value.members()) {
    if (!expect(draft, member.value.is_array(), "an array of member names", member.value)) return;
    needs(draft, watch(draft, member.key.string()), member.value);
  }
}

}  // namespace enfold::schema::detail
