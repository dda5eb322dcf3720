// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/evaluate/evaluate.h"

#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/schema/evaluate/description.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

// Most nested evaluations: six schemas for each of 512 nested values. They take up to 2 MB of
// stack, 5 MB with a sanitizer.
constexpr std::uint32_t kDeepest = 3072;

// These functions evaluate `const` and `enum`, the rules for numbers and the rules for strings;
// false: a violation.

bool values(Evaluator& e, const Node& node, const Context& context) {
  bool ok = true;
  const auto check = [&](std::uint32_t id, std::string_view keyword) {
    if (id == kNone || one_of_values(e, id, context.view)) return;
    ok = false;
    if (!e.reporting()) return;
    e.report(node, keyword, context, choices(e.program().values[id], keyword == "const"),
             describe(context.view));
  };
  check(node.constant, "const");
  check(node.choices, "enum");
  return ok;
}

bool numbers(Evaluator& e, const Node& node, const Context& context) {
  const NumberRules& rules = e.program().numbers[node.numbers];
  const std::string_view text = context.view.number();
  if (!e.charge(text.size())) return false;
  const json::Number value(text);
  bool ok = true;
  const auto check = [&](const std::optional<Bound>& bound, std::string_view keyword,
                         std::string_view words, auto holds) {
    if (!bound || holds(bound->number)) return;
    ok = false;
    if (!e.reporting()) return;
    e.report(node, keyword, context, fmt::format("{} {}", words, bound->text),
             describe(context.view));
  };
  check(rules.minimum, "minimum", "at least", [&](const json::Number& n) { return value >= n; });
  check(rules.maximum, "maximum", "at most", [&](const json::Number& n) { return value <= n; });
  check(rules.exclusive_minimum, "exclusiveMinimum", "more than",
        [&](const json::Number& n) { return value > n; });
  check(rules.exclusive_maximum, "exclusiveMaximum", "less than",
        [&](const json::Number& n) { return value < n; });
  check(rules.multiple_of, "multipleOf", "a multiple of", [&](const json::Number& n) {
    return e.charge(value.digits() * (1 + n.digits() / 9)) && value.is_multiple_of(n);
  });
  return ok;
}

bool strings(Evaluator& e, const Node& node, const Context& context) {
  const StringRules& rules = e.program().strings[node.strings];
  std::string decoded;
  std::string_view text = context.view.string_source();
  if (!e.charge(text.size())) return false;
  if (context.view.has_escapes()) text = decoded = context.view.string();
  bool ok = true;
  if (rules.least != 0 || rules.most != kUnlimited) {
    ok = size_within(e, node, context,
                     {rules.least, rules.most, "minLength", "maxLength", "character"},
                     utf8::length(text));
  }
  if (!ok && !e.reporting()) return false;
  if (rules.pattern == kNone) return ok;
  const Pattern& pattern = e.program().patterns[rules.pattern];
  if (!e.charge(text.size() * pattern.instructions())) return false;
  if (pattern.matches(text)) return ok;
  if (e.reporting()) {
    e.report(node, "pattern", context, "text that matches " + quoted(pattern.source()),
             describe(context.view));
  }
  return false;
}

}  // namespace

void EvaluatedParts::mark(std::size_t index) {
  if (all_) return;
  if (index >= marks_.size()) marks_.resize(index + 1);
  marks_[index] = true;
}

void EvaluatedParts::merge(const EvaluatedParts& other) {
  all_ = all_ || other.all_;
  if (all_) return;
  if (marks_.size() < other.marks_.size()) marks_.resize(other.marks_.size());
  for (std::size_t i = 0; i < other.marks_.size(); ++i) {
    if (other.marks_[i]) marks_[i] = true;
  }
}

bool is_allowed_integer(const Node& node, json::View view) {
  return (node.types & kInteger) != 0 && view.is_number() &&
         json::Number(view.number()).is_integer();
}

bool one_of_values(Evaluator& e, std::uint32_t id, json::View view) {
  const std::vector<json::View>& choices = e.program().values[id];
  return std::any_of(choices.begin(), choices.end(), [&](json::View choice) {
    return e.charge(view.is_container() && choice.kind() == view.kind() ? view.raw().size() : 0) &&
           schema_equal(choice, view);
  });
}

bool size_within(Evaluator& e, const Node& node, const Context& context, const SizeRange& range,
                 std::uint64_t size) {
  if (size >= range.least && size <= range.most) return true;
  if (!e.reporting()) return false;
  const bool few = size < range.least;
  e.report(node, few ? range.least_keyword : range.most_keyword, context,
           few ? "at least " + counted(range.least, range.noun)
               : "at most " + counted(range.most, range.noun),
           counted(size, range.noun));
  return false;
}

bool Evaluator::silently(NodeId id, const Context& context) {
  const bool was_reporting = std::exchange(reporting_, false);
  const bool ok = evaluate(id, context);
  reporting_ = was_reporting && !full_;
  return ok;
}

bool Evaluator::run(json::View instance) {
  return evaluate(program_.root, Context{.view = instance});
}

bool Evaluator::out_of_steps() {
  if (stopped_) return false;
  stop(fmt::format("validation takes more than {} steps", max_steps_), {},
       "Simplify the schema or raise the limit on schema steps.");
  return false;
}

void Evaluator::stop(std::string message, std::string where, std::string hint) {
  stopped_ =
      Error{ErrorCode::limit_exceeded, std::move(message), std::move(where), std::move(hint)};
  steps_ = max_steps_;
  reporting_ = false;
  full_ = true;
}

bool Evaluator::evaluate(NodeId id, const Context& context) {
  const Node& node = program_.nodes[id];
  if (!charge()) return false;
  if (node.rejects) return reject(node, context);
  if (depth_ >= kDeepest) return too_deep(node);
  ++depth_;
  bool ok = false;
  if (program_.is_dynamic &&
      (context.scope == nullptr || context.scope->resource != node.place.resource)) {
    const Scope scope{context.scope, node.place.resource};
    Context inside = context;
    inside.scope = &scope;
    ok = with_unevaluated(node, inside);
  } else if (node.unevaluated_items != kNone || node.unevaluated_properties != kNone) {
    ok = with_unevaluated(node, context);
  } else {
    ok = keywords(node, context);
  }
  --depth_;
  return ok;
}

bool Evaluator::reject(const Node& node, const Context& context) {
  if (reporting_) report(node, "", context, "nothing here", describe(context.view));
  return false;
}

bool Evaluator::wrong_type(const Node& node, const Context& context) {
  if (reporting_) report(node, "type", context, type_names(node.types), describe(context.view));
  return false;
}

bool Evaluator::too_deep(const Node& node) {
  stop(fmt::format("schemas apply each other more than {} levels deep", kDeepest),
       program_.location(node), "Look for a schema that refers to itself for the same value.");
  return false;
}

bool Evaluator::with_unevaluated(const Node& node, const Context& context) {
  const bool is_object = context.view.is_object();
  const NodeId wanted = is_object                 ? node.unevaluated_properties
                        : context.view.is_array() ? node.unevaluated_items
                                                  : kNone;
  if (wanted == kNone) return keywords(node, context);
  // A new set: items and members that adjacent schemas have evaluated do not count here.
  EvaluatedParts evaluated;
  Context inside = context;
  inside.evaluated = &evaluated;
  // After a failure nothing is reported as unevaluated: a failed keyword does not mark the parts
  // that it evaluated.
  if (!keywords(node, inside)) return false;
  const bool ok = is_object ? unevaluated_properties(*this, node, inside, evaluated)
                            : unevaluated_items(*this, node, inside, evaluated);
  if (ok && context.evaluated != nullptr) context.evaluated->merge(evaluated);
  return ok;
}

bool Evaluator::keywords(const Node& node, const Context& context) {
  const json::Kind kind = context.view.kind();
  if ((node.types & type_bit(kind)) == 0 && !is_allowed_integer(node, context.view)) {
    return wrong_type(node, context);  // violations of other keywords would be noise
  }
  bool ok = true;
  if (node.constant != kNone || node.choices != kNone) ok = values(*this, node, context);
  if (!ok && !reporting_) return false;
  switch (kind) {
    case json::Kind::number:
      if (node.numbers != kNone) ok = numbers(*this, node, context) && ok;
      break;
    case json::Kind::string:
      if (node.strings != kNone) ok = strings(*this, node, context) && ok;
      break;
    case json::Kind::array:
      if (node.arrays != kNone) ok = arrays(*this, node, context) && ok;
      break;
    case json::Kind::object:
      if (node.objects != kNone) ok = objects(*this, node, context) && ok;
      break;
    default: break;
  }
  if (!ok && !reporting_) return false;
  if (node.applicator_count != 0) ok = applicators(*this, node, context) && ok;
  return ok;
}

void Evaluator::report(const Node& node, std::string_view keyword, const Context& context,
                       std::string expected, std::string found, Violation::Kind kind,
                       std::string member) {
  std::string location = program_.location(node);
  if (!keyword.empty()) (location += '/') += keyword;
  if (context.path != nullptr && context.path->is_name) expected.insert(0, "member name: ");
  found_.push_back(Entry{context.view.offset(),
                         Violation{pointer(context.path), std::move(location), std::move(expected),
                                   std::move(found), kind, std::move(member)}});
  if (found_.size() >= max_violations_) {
    full_ = true;
    reporting_ = false;
  }
}

std::string Evaluator::pointer(const Path* path) {
  std::vector<const Path*> steps;
  for (; path != nullptr; path = path->parent) steps.push_back(path);
  std::string text;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    json::append_token(text,
                       (*step)->is_item ? std::to_string((*step)->index) : (*step)->key.string());
  }
  return text;
}

std::vector<Violation> Evaluator::take_violations() {
  std::vector<std::pair<std::uint32_t, std::size_t>> order;  // offset in the document, index
  order.reserve(found_.size());
  for (const Entry& entry : found_) order.emplace_back(entry.offset, order.size());
  std::sort(order.begin(), order.end());
  std::vector<Violation> violations;
  violations.reserve(found_.size());
  for (const auto& [offset, index] : order)
    violations.push_back(std::move(found_[index].violation));
  return violations;
}

}  // namespace enfold::schema::detail
