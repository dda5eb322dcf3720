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

constexpr std::string_view kTypeNames =
    "\"null\", \"boolean\", \"number\", \"integer\", \"string\", \"array\" or \"object\"";

void type(Compiler& c, Draft& draft, json::View value) {
  TypeSet types = 0;
  const auto add_type = [&](json::View name) {
    const auto bit = type_of(name);
    if (c.expect(draft, bit.has_value(), kTypeNames, name))
      types = static_cast<TypeSet>(types | *bit);
  };
  if (value.is_array()) {
    for (const json::View name : value.items()) add_type(name);
  } else {
    add_type(value);
  }
  draft.node.types = types;
}

void constant(Compiler& c, Draft& draft, json::View value) {
  draft.node.constant = static_cast<std::uint32_t>(c.program().values.size());
  c.program().values.push_back({value});
}

void enumeration(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_array(), "an array of values", value)) return;
  std::vector<json::View> values;
  for (const json::View item : value.items()) values.push_back(item);
  draft.node.choices = static_cast<std::uint32_t>(c.program().values.size());
  c.program().values.push_back(std::move(values));
}

void bound(Compiler& c, Draft& draft, json::View value,
           std::optional<Bound> NumberRules::* member) {
  if (!c.expect(draft, value.is_number(), "a number", value)) return;
  c.numbers(draft).*member = Bound{json::Number(value.number()), value.number()};
}

void multiple_of(Compiler& c, Draft& draft, json::View value) {
  constexpr std::size_t most_digits = 1000;
  if (!c.expect(draft, value.is_number(), "a number greater than 0", value)) return;
  const json::Number divisor(value.number());
  if (!c.expect(draft, !divisor.is_zero() && !divisor.is_negative(), "a number greater than 0",
                value)) {
    return;
  }
  if (!c.expect(draft, divisor.digits() <= most_digits,
                fmt::format("a number of at most {} digits", most_digits), value)) {
    return;
  }
  c.numbers(draft).multiple_of = Bound{divisor, value.number()};
}

void pattern(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_string(), "a regular expression", value)) return;
  c.strings(draft).pattern = c.pattern_id(value.string(), c.where(draft));
}

void unique_items(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_boolean(), "a boolean", value)) return;
  c.arrays(draft).unique = value.boolean();
}

void required(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_array(), "an array of member names", value)) return;
  for (const json::View name : value.items()) {
    if (!c.expect(draft, name.is_string(), "a member name", name)) return;
    const std::uint32_t bit = c.watch(draft, name.string());
    c.objects(draft).required.push_back(bit);
  }
}

void dependent_required(Compiler& c, Draft& draft, json::View value) {
  if (!c.expect(draft, value.is_object(), "an object of lists of member names", value)) return;
  for (const json::Member& member : value.members()) {
    if (!c.expect(draft, member.value.is_array(), "an array of member names", member.value)) return;
    needs(c, draft, c.watch(draft, member.key.string()), member.value);
  }
}

// Sorted by name; a name that means different things in the two dialects has two rows.
constexpr auto kKeywords = std::to_array<Keyword>({
    {"const", true, true, Vocabulary::validation, constant},
    {"dependentRequired", true, false, Vocabulary::validation, dependent_required},
    {"enum", true, true, Vocabulary::validation, enumeration},
    {"exclusiveMaximum", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       bound(c, draft, value, &NumberRules::exclusive_maximum);
     }},
    {"exclusiveMinimum", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       bound(c, draft, value, &NumberRules::exclusive_minimum);
     }},
    {"maxContains", true, false, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       c.arrays(draft).most_contained = c.count(draft, value);
     }},
    {"maxItems", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       c.arrays(draft).most = c.count(draft, value);
     }},
    {"maxLength", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       c.strings(draft).most = c.count(draft, value);
     }},
    {"maxProperties", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       c.objects(draft).most = c.count(draft, value);
     }},
    {"maximum", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       bound(c, draft, value, &NumberRules::maximum);
     }},
    {"minContains", true, false, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       c.arrays(draft).least_contained = c.count(draft, value);
     }},
    {"minItems", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       c.arrays(draft).least = c.count(draft, value);
     }},
    {"minLength", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       c.strings(draft).least = c.count(draft, value);
     }},
    {"minProperties", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       c.objects(draft).least = c.count(draft, value);
     }},
    {"minimum", true, true, Vocabulary::validation,
     [](Compiler& c, Draft& draft, json::View value) {
       bound(c, draft, value, &NumberRules::minimum);
     }},
    {"multipleOf", true, true, Vocabulary::validation, multiple_of},
    {"pattern", true, true, Vocabulary::validation, pattern},
    {"required", true, true, Vocabulary::validation, required},
    {"type", true, true, Vocabulary::validation, type},
    {"uniqueItems", true, true, Vocabulary::validation, unique_items},
});

}  // namespace

void needs(Compiler& c, Draft& draft, std::uint32_t trigger, json::View names) {
  for (const json::View name : names.items()) {
    if (!c.expect(draft, name.is_string(), "a member name", name)) return;
    const std::uint32_t bit = c.watch(draft, name.string());
    c.objects(draft).dependencies.push_back({trigger, bit, kNone});
  }
}

std::span<const Keyword> assertion_keywords() { return kKeywords; }

}  // namespace enfold::schema::detail
