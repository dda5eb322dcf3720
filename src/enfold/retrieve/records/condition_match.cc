// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/number.h"
#include "enfold/json/pointer.h"
#include "enfold/retrieve/records/needle.h"
#include "enfold/retrieve/records/records.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <optional>

namespace enfold::retrieve {
namespace {

// Calls `use` with the decoded string, which is copied only if it has escapes.
template <class Use>
auto with_text(json::View string, Use use) {
  return string.has_escapes() ? use(std::string_view(string.string()))
                              : use(string.string_source());
}

// nullopt: the values cannot be compared.
using Order = std::optional<std::strong_ordering>;

// A text that is a number compares as that number, because many tools write ids and amounts as
// text.
Order compare_text(std::string_view text, const Literal& literal) {
  if (literal.kind == LiteralKind::text) {
    if (literal.any_case) return fold_case(text).compare(fold_case(literal.text)) <=> 0;
    return text.compare(literal.text) <=> 0;
  }
  if (literal.kind != LiteralKind::number || !is_number_text(text)) return std::nullopt;
  return json::Number(text) <=> json::Number(literal.text);
}

bool is_true(const Literal& boolean) {
  return boolean.text.starts_with('t') || boolean.text.starts_with('T');
}

/// The order of the value relative to the literal.
Order compare(json::View value, const Literal& literal) {
  switch (value.kind()) {
    case json::Kind::string:
      return with_text(value, [&](std::string_view text) { return compare_text(text, literal); });
    case json::Kind::number:
      if (literal.kind != LiteralKind::number) return std::nullopt;
      return json::Number(value.number()) <=> json::Number(literal.text);
    case json::Kind::boolean:
      if (literal.kind != LiteralKind::boolean) return std::nullopt;
      return value.boolean() <=> is_true(literal);
    case json::Kind::null:
      return literal.kind == LiteralKind::null ? Order(std::strong_ordering::equal) : std::nullopt;
    default: return std::nullopt;
  }
}

/// `comparison`: neither not_equal, contains nor exists.
bool meets(Order order, Comparison comparison) {
  if (!order) return false;
  switch (comparison) {
    case Comparison::equal: return *order == 0;
    case Comparison::less: return *order < 0;
    case Comparison::at_most: return *order <= 0;
    case Comparison::greater: return *order > 0;
    case Comparison::at_least: return *order >= 0;
    default: return false;
  }
}

// Strings are equal if they differ only in case.
bool equals_ignoring_case(json::View scalar, const Literal& literal) {
  if (!scalar.is_string()) return meets(compare(scalar, literal), Comparison::equal);
  return with_text(scalar, [&](std::string_view text) {
    return text.size() == literal.text.size() && fold_case(text) == fold_case(literal.text);
  });
}

// A text contains a substring, a list an item, an object a key. An item that is an object matches
// by any of its values, so that a list with {"id": 7, "name": "bug"} contains "bug".
bool contains(json::View value, const Literal& literal, const Needle& needle) {
  if (value.is_string()) {
    return with_text(value, [&](std::string_view text) { return needle.is_in(text); });
  }
  if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      if (equals_ignoring_case(member.key, literal)) return true;
    }
    return false;
  }
  if (!value.is_array()) return equals_ignoring_case(value, literal);
  for (const json::View item : value.items()) {
    if (!item.is_container() && equals_ignoring_case(item, literal)) return true;
    if (!item.is_object()) continue;
    for (const json::Member& member : item.members()) {
      if (!member.value.is_container() && equals_ignoring_case(member.value, literal)) return true;
    }
  }
  return false;
}

// Whether `test` accepts a value that the names of `path` from index `from` on reach from `here`. A
// list on the path means each of its items, unless the next name is an index.
template <class Test>
bool any_at(json::View here, const std::vector<std::string>& path, std::size_t from,
            const Test& test) {
  for (; from < path.size(); ++from) {
    const auto next = json::Pointer({path[from]}).resolve(here);
    if (next) {
      here = *next;
      continue;
    }
    if (!here.is_array()) return false;
    for (const json::View item : here.items()) {
      if (item.is_container() && any_at(item, path, from, test)) return true;
    }
    return false;
  }
  return test(here);
}

// Whether the value, or an item of a list at any depth, meets the comparison.
bool any_item_meets(json::View value, Comparison comparison, const Literal& literal) {
  if (!value.is_array()) return meets(compare(value, literal), comparison);
  for (const json::View item : value.items()) {
    if (any_item_meets(item, comparison, literal)) return true;
  }
  return false;
}

// `comparison` replaces that of the term, so that != can ask for =.
bool term_holds(const Term& term, Comparison comparison, json::View record) {
  switch (comparison) {
    case Comparison::exists: return path_exists(term.path, record);
    case Comparison::contains: {
      const Needle needle(term.literal.text);
      return any_at(record, term.path, /*from=*/0,
                    [&](json::View value) { return contains(value, term.literal, needle); });
    }
    case Comparison::not_equal: return !term_holds(term, Comparison::equal, record);
    default: break;
  }
  const bool met = any_at(record, term.path, /*from=*/0, [&](json::View value) {
    return any_item_meets(value, comparison, term.literal);
  });
  if (met) return true;
  const bool is_null_test =
      comparison == Comparison::equal && term.literal.kind == LiteralKind::null;
  return is_null_test && !path_exists(term.path, record);
}

// The operands of an `and`, or some of them.
using Operands = std::vector<const Condition*>;

Operands pointers_to(const std::vector<Condition>& parts) {
  Operands out;
  for (const Condition& part : parts) out.push_back(&part);
  return out;
}

/// The term of a part that is a term or a negated term; nullptr: it is neither.
const Term* term_of(const Condition& part) {
  if (part.kind == Condition::Kind::term) return &part.term;
  const bool is_negated_term =
      part.kind == Condition::Kind::negation && part.parts.front().kind == Condition::Kind::term;
  return is_negated_term ? &part.parts.front().term : nullptr;
}

// Whether the part is a term that a value has to meet, not one that no value may meet.
bool is_positive(const Condition& part) {
  return part.kind == Condition::Kind::term && part.term.comparison != Comparison::not_equal;
}

// Whether the group asks one member for two values: labels.name = a and labels.name = b. No single
// item of a list has both, so each may be met by another item.
bool asks_for_two_values(const Operands& group) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (std::size_t j = i + 1; j < group.size(); ++j) {
      const Term& a = *term_of(*group[i]);
      const Term& b = *term_of(*group[j]);
      const bool are_values =
          a.comparison == b.comparison &&
          (a.comparison == Comparison::equal || a.comparison == Comparison::contains);
      if (are_values && a.path == b.path && is_positive(*group[i]) && is_positive(*group[j])) {
        return true;
      }
    }
  }
  return false;
}

// In the functions below, `here` is the value that the first `depth` names of the paths lead to.

bool part_holds(const Condition& part, json::View here, std::size_t depth) {
  const Term* const term = term_of(part);
  if (depth == 0 || term == nullptr) return holds(part, here);
  Term rest = *term;
  rest.path.erase(rest.path.begin(), rest.path.begin() + static_cast<std::ptrdiff_t>(depth));
  return term_holds(rest, rest.comparison, here) == (part.kind == Condition::Kind::term);
}

bool each_holds(const Operands& parts, json::View here, std::size_t depth) {
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Condition* part) { return part_holds(*part, here, depth); });
}

bool all_hold(Operands parts, json::View here, std::size_t depth);

// Whether all parts of a group hold. Their paths go on with the same member of `here`. If that
// member is a list, one of its items has to meet them all.
bool group_holds(const Operands& group, json::View here, std::size_t depth) {
  const bool is_joint = group.size() > 1 && here.is_object() &&
                        std::any_of(group.begin(), group.end(),
                                    [](const Condition* part) { return is_positive(*part); });
  const auto next = is_joint ? here.find(term_of(*group.front())->path[depth]) : std::nullopt;
  if (!next || !next->is_container() || asks_for_two_values(group))
    return each_holds(group, here, depth);
  if (next->is_object()) return all_hold(group, *next, depth + 1);
  const bool has_index = std::any_of(group.begin(), group.end(), [&](const Condition* part) {
    return json::Pointer({term_of(*part)->path[depth + 1]}).resolve(*next).has_value();
  });
  if (has_index) return each_holds(group, here, depth);
  for (const json::View item : next->items()) {
    if (item.is_object() && all_hold(group, item, depth + 1)) return true;
  }
  return false;
}

/// Whether all parts hold. Their paths have the first `depth` names in common; those that go on
/// with the same member are a group.
bool all_hold(Operands parts, json::View here, std::size_t depth) {
  while (!parts.empty()) {
    const Term* const first = term_of(*parts.front());
    const auto is_in_group = [&](const Condition* part) {
      const Term* const term = term_of(*part);
      return term != nullptr && term->path.size() > depth + 1 &&
             term->path[depth] == first->path[depth];
    };
    Operands group{parts.front()};
    if (first != nullptr && is_in_group(parts.front())) {
      group.clear();
      std::copy_if(parts.begin(), parts.end(), std::back_inserter(group), is_in_group);
    }
    std::erase_if(parts, [&](const Condition* part) {
      return std::find(group.begin(), group.end(), part) != group.end();
    });
    if (!group_holds(group, here, depth)) return false;
  }
  return true;
}

}  // namespace

bool holds(const Condition& condition, json::View record) {
  const std::vector<Condition>& parts = condition.parts;
  switch (condition.kind) {
    case Condition::Kind::all: return all_hold(pointers_to(parts), record, /*depth=*/0);
    case Condition::Kind::any:
      return std::any_of(parts.begin(), parts.end(),
                         [&](const Condition& part) { return holds(part, record); });
    case Condition::Kind::negation: return !holds(parts.front(), record);
    case Condition::Kind::term: break;
  }
  return term_holds(condition.term, condition.term.comparison, record);
}

bool path_exists(const std::vector<std::string>& path, json::View record) {
  return any_at(record, path, /*from=*/0, [](json::View) { return true; });
}

}  // namespace enfold::retrieve
