// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/evaluate/description.h"
#include "enfold/schema/evaluate/evaluate.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

// The node that a dynamic reference means: the anchor of its name in the outermost resource being
// evaluated that has one, else the initial target.
NodeId dynamic_target(Evaluator& e, const Applicator& applicator, const Scope* scope) {
  NodeId target = e.program().children[applicator.first];
  for (; scope != nullptr; scope = scope->parent) {
    for (const auto& [name, node] : e.program().dynamic_anchors[scope->resource]) {
      if (name == applicator.name) target = node;
    }
  }
  return target;
}

// Evaluates an alternative without reports; true: the value matches it. A failed alternative must
// not mark anything as evaluated, so each alternative gets a separate set, which is merged into
// that of `context` if the alternative matches.
bool merge_silently(Evaluator& e, NodeId id, const Context& context) {
  if (context.evaluated == nullptr) return e.silently(id, context);
  EvaluatedParts evaluated;
  Context inside = context;
  inside.evaluated = &evaluated;
  if (!e.silently(id, inside)) return false;
  context.evaluated->merge(evaluated);
  return true;
}

// Whether type, const and enum of the value, and const of its members, allow the value; follows up
// to eight nested `$ref` and `allOf` (`hops`: so many were followed). Cheap; used only after a
// failure.
bool is_plausible(Evaluator& e, NodeId id, json::View view, unsigned hops) {
  constexpr unsigned most_hops = 8;
  const Node& node = e.program().nodes[id];
  if (node.rejects || !e.charge()) return false;
  if ((node.types & type_bit(view.kind())) == 0 && !is_allowed_integer(node, view)) return false;
  if (node.constant != kNone && !one_of_values(e, node.constant, view)) return false;
  if (node.choices != kNone && !one_of_values(e, node.choices, view)) return false;
  if (node.objects != kNone && view.is_object()) {
    for (const Name& name : e.program().objects[node.objects].names) {
      if (name.node == kNone || e.program().nodes[name.node].constant == kNone) continue;
      const auto value = view.find(name.text);
      if (value && !one_of_values(e, e.program().nodes[name.node].constant, *value)) return false;
    }
  }
  for (std::uint32_t i = 0; i < node.applicator_count && hops < most_hops; ++i) {
    const Applicator& applicator = e.program().applicators[node.first_applicator + i];
    if (applicator.op != Op::ref && applicator.op != Op::all_of) continue;
    for (std::uint32_t k = 0; k < applicator.count; ++k) {
      if (!is_plausible(e, e.program().children[applicator.first + k], view, hops + 1))
        return false;
    }
  }
  return true;
}

// How many members of the object the alternative names; 0 for objects with too many members.
std::size_t named_members(Evaluator& e, NodeId id, json::View view) {
  constexpr std::size_t most_members = 64;
  const Node& node = e.program().nodes[without_references(e.program(), id)];
  if (!view.is_object() || view.size() > most_members || node.objects == kNone) return 0;
  const ObjectRules& rules = e.program().objects[node.objects];
  std::size_t count = 0;
  for (const json::Member& member : view.members()) {
    count += rules.find(member.key.string()) != nullptr ? 1 : 0;
  }
  return count;
}

// The alternative whose violations say more than "none matches": the only plausible one, or of
// several the one that names most members of the value. kNone: there is none, or more than one.
NodeId meant_alternative(Evaluator& e, const Applicator& applicator, json::View view) {
  NodeId meant = kNone;
  std::size_t most = 0;
  std::size_t plausible = 0;
  for (std::uint32_t i = 0; i < applicator.count; ++i) {
    const NodeId child = e.program().children[applicator.first + i];
    if (!is_plausible(e, child, view, /*hops=*/0)) continue;
    const std::size_t named = named_members(e, child, view);
    if (++plausible == 1 || named > most) {
      meant = child;
    } else if (named == most) {
      meant = kNone;
    }
    most = std::max(most, named);
  }
  return meant;
}

// Reports the violations of the meant alternative; if there is none, that no alternative matches.
void explain_alternatives(Evaluator& e, const Node& node, const Applicator& applicator,
                          const Context& context) {
  Context inside = context;
  inside.evaluated = nullptr;
  const std::size_t before = e.violation_count();
  const NodeId meant = meant_alternative(e, applicator, context.view);
  if (meant != kNone) (void)e.evaluate(meant, inside);
  if (e.violation_count() > before || !e.reporting()) return;
  const bool one = applicator.op == Op::one_of;
  const std::string_view keyword = one ? "oneOf" : "anyOf";
  std::string expected = describe_alternatives(e.program(), applicator);
  std::string found = describe(context.view);
  if (expected.empty()) {
    expected = fmt::format("a match for {} one of {} alternatives", one ? "exactly" : "at least",
                           applicator.count);
    found += ", which matches none";
  }
  e.report(node, keyword, context, std::move(expected), std::move(found));
}

bool any_of(Evaluator& e, const Node& node, const Applicator& applicator, const Context& context) {
  bool ok = false;
  for (std::uint32_t i = 0; i < applicator.count; ++i) {
    ok = merge_silently(e, e.program().children[applicator.first + i], context) || ok;
    if (ok && context.evaluated == nullptr) return true;
  }
  if (!ok && e.reporting()) explain_alternatives(e, node, applicator, context);
  return ok;
}

// `first` and `second`: the positions of the alternatives that match, from 0.
void report_two_matches(Evaluator& e, const Node& node, std::uint32_t count, const Context& context,
                        std::uint32_t first, std::uint32_t second) {
  e.report(node, "oneOf", context, fmt::format("a match for exactly one of {} alternatives", count),
           fmt::format("{}, which matches alternatives {} and {}", describe(context.view), first,
                       second));
}

bool one_of(Evaluator& e, const Node& node, const Applicator& applicator, const Context& context) {
  std::uint32_t first = kNone;
  for (std::uint32_t i = 0; i < applicator.count; ++i) {
    if (!merge_silently(e, e.program().children[applicator.first + i], context)) continue;
    if (first != kNone) {
      if (e.reporting()) report_two_matches(e, node, applicator.count, context, first, i);
      return false;
    }
    first = i;
  }
  if (first != kNone) return true;
  if (e.reporting()) explain_alternatives(e, node, applicator, context);
  return false;
}

bool negation(Evaluator& e, const Node& node, NodeId child, const Context& context) {
  Context inside = context;
  inside.evaluated = nullptr;
  if (!e.silently(child, inside)) return true;
  if (e.reporting()) {
    e.report(node, "not", context, "a value that \"not\" does not describe",
             describe(context.view));
  }
  return false;
}

bool condition(Evaluator& e, const Applicator& applicator, const Context& context) {
  const NodeId* const children = e.program().children.data() + applicator.first;
  const NodeId next = merge_silently(e, children[0], context) ? children[1] : children[2];
  return next == kNone || e.evaluate(next, context);
}

bool apply(Evaluator& e, const Node& node, const Applicator& applicator, const Context& context) {
  const NodeId* const children = e.program().children.data() + applicator.first;
  switch (applicator.op) {
    case Op::ref: return e.evaluate(children[0], context);
    case Op::dynamic_ref: return e.evaluate(dynamic_target(e, applicator, context.scope), context);
    case Op::all_of: {
      bool ok = true;
      for (std::uint32_t i = 0; i < applicator.count; ++i) {
        ok = e.evaluate(children[i], context) && ok;
        if (!ok && !e.reporting()) return false;
      }
      return ok;
    }
    case Op::any_of: return any_of(e, node, applicator, context);
    case Op::one_of: return one_of(e, node, applicator, context);
    case Op::negation: return negation(e, node, children[0], context);
    case Op::condition: return condition(e, applicator, context);
  }
  return true;
}

}  // namespace

bool applicators(Evaluator& e, const Node& node, const Context& context) {
  bool ok = true;
  for (std::uint32_t i = 0; i < node.applicator_count; ++i) {
    if (!e.charge()) return false;
    ok = apply(e, node, e.program().applicators[node.first_applicator + i], context) && ok;
    if (!ok && !e.reporting()) return false;
  }
  return ok;
}

}  // namespace enfold::schema::detail
