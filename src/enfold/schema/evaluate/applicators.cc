// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/evaluate/description.h"
#include "enfold/schema/evaluate/equal.h"
#include "enfold/schema/evaluate/evaluate.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace enfold::schema::detail {

bool Evaluator::applicators(const Node& node, const Context& context) {
  bool ok = true;
  for (std::uint32_t i = 0; i < node.applicator_count; ++i) {
    if (!charge()) return false;
    ok = apply(node, program_.applicators[node.first_applicator + i], context) && ok;
    if (!ok && fast()) return false;
  }
  return ok;
}

bool Evaluator::apply(const Node& node, const Applicator& applicator, const Context& context) {
  const NodeId* const children = program_.children.data() + applicator.first;
  switch (applicator.op) {
    case Op::ref: return evaluate(children[0], context);
    case Op::dynamic_ref: return evaluate(dynamic_target(applicator, context.scope), context);
    case Op::all_of: {
      bool ok = true;
      for (std::uint32_t i = 0; i < applicator.count; ++i) {
        ok = evaluate(children[i], context) && ok;
        if (!ok && fast()) return false;
      }
      return ok;
    }
    case Op::any_of: return any_of(node, applicator, context);
    case Op::one_of: return one_of(node, applicator, context);
    case Op::negation: return negation(node, children[0], context);
    case Op::condition: return condition(applicator, context);
  }
  return true;
}

// The outermost resource with an anchor of that name decides.
NodeId Evaluator::dynamic_target(const Applicator& applicator, const Scope* scope) const {
  NodeId target = program_.children[applicator.first];
  for (; scope != nullptr; scope = scope->parent) {
    for (const auto& [name, node] : program_.dynamic_anchors[scope->resource]) {
      if (name == applicator.name) target = node;
    }
  }
  return target;
}

bool Evaluator::silently(NodeId id, const Context& context) {
  const bool was_reporting = std::exchange(reporting_, false);
  const bool ok = evaluate(id, context);
  reporting_ = was_reporting && !full_;
  return ok;
}

// What a failed alternative evaluated does not count, so it marks a set of its own.
bool Evaluator::merge_silently(NodeId id, const Context& context) {
  if (context.evaluated == nullptr) return silently(id, context);
  Evaluated evaluated;
  Context inside = context;
  inside.evaluated = &evaluated;
  if (!silently(id, inside)) return false;
  context.evaluated->merge(evaluated);
  return true;
}

bool Evaluator::any_of(const Node& node, const Applicator& applicator, const Context& context) {
  bool ok = false;
  for (std::uint32_t i = 0; i < applicator.count; ++i) {
    ok = merge_silently(program_.children[applicator.first + i], context) || ok;
    if (ok && context.evaluated == nullptr) return true;
  }
  if (!ok && reporting_) explain_alternatives(node, applicator, context);
  return ok;
}

bool Evaluator::one_of(const Node& node, const Applicator& applicator, const Context& context) {
  std::uint32_t first = kNone;
  for (std::uint32_t i = 0; i < applicator.count; ++i) {
    if (!merge_silently(program_.children[applicator.first + i], context)) continue;
    if (first != kNone) {
      if (reporting_) report_two_matches(node, applicator.count, context, first, i);
      return false;
    }
    first = i;
  }
  if (first != kNone) return true;
  if (reporting_) explain_alternatives(node, applicator, context);
  return false;
}

void Evaluator::report_two_matches(const Node& node, std::uint32_t count, const Context& context,
                                   std::uint32_t first, std::uint32_t second) {
  report(node, "oneOf", context, fmt::format("a match for exactly one of {} alternatives", count),
         fmt::format("{}, which matches alternatives {} and {}", describe(context.view), first,
                     second));
}

bool Evaluator::negation(const Node& node, NodeId child, const Context& context) {
  Context inside = context;
  inside.evaluated = nullptr;
  if (!silently(child, inside)) return true;
  if (reporting_) {
    report(node, "not", context, "a value that \"not\" does not describe", describe(context.view));
  }
  return false;
}

bool Evaluator::condition(const Applicator& applicator, const Context& context) {
  const NodeId* const children = program_.children.data() + applicator.first;
  const NodeId next = merge_silently(children[0], context) ? children[1] : children[2];
  return next == kNone || evaluate(next, context);
}

// Where only one alternative can have been meant, its violations say more than "none matches".
void Evaluator::explain_alternatives(const Node& node, const Applicator& applicator,
                                     const Context& context) {
  NodeId meant = kNone;
  std::uint32_t candidates = 0;
  for (std::uint32_t i = 0; i < applicator.count; ++i) {
    const NodeId child = program_.children[applicator.first + i];
    if (!plausible(child, context.view, 0)) continue;
    meant = child;
    ++candidates;
  }
  Context inside = context;
  inside.evaluated = nullptr;
  const std::size_t before = found_.size();
  if (candidates == 1) (void)evaluate(meant, inside);
  if (found_.size() > before || !reporting_) return;
  const bool one = applicator.op == Op::one_of;
  report(node, one ? "oneOf" : "anyOf", context,
         fmt::format("a match for {} one of {} alternatives", one ? "exactly" : "at least",
                     applicator.count),
         describe(context.view) + ", which matches none");
}

// Whether type, const and enum, of the value or of a member that tells alternatives apart, allow
// the value. Cheap, and only asked when something failed already.
bool Evaluator::plausible(NodeId id, json::View view, unsigned hops) {
  constexpr unsigned most_hops = 8;
  const Node& node = program_.nodes[id];
  if (node.rejects || !charge()) return false;
  if ((node.types & type_bit(view.kind())) == 0 && !has_type(node, view)) return false;
  if (node.constant != kNone && !one_of_values(node.constant, view)) return false;
  if (node.choices != kNone && !one_of_values(node.choices, view)) return false;
  if (node.objects != kNone && view.is_object()) {
    for (const Name& name : program_.objects[node.objects].names) {
      if (name.node == kNone || program_.nodes[name.node].constant == kNone) continue;
      const auto value = view.find(name.text);
      if (value && !one_of_values(program_.nodes[name.node].constant, *value)) return false;
    }
  }
  for (std::uint32_t i = 0; i < node.applicator_count && hops < most_hops; ++i) {
    const Applicator& applicator = program_.applicators[node.first_applicator + i];
    if (applicator.op != Op::ref && applicator.op != Op::all_of) continue;
    for (std::uint32_t k = 0; k < applicator.count; ++k) {
      if (!plausible(program_.children[applicator.first + k], view, hops + 1)) return false;
    }
  }
  return true;
}

}  // namespace enfold::schema::detail
