// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/duplicate_members.h"
#include "enfold/schema/evaluate/description.h"
#include "enfold/schema/evaluate/evaluate.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

/// Which of the names with a presence bit (required, dependencies) the object has.
class FoundNames {
 public:
  // `count`: ObjectRules::presence_bits.
  explicit FoundNames(std::uint32_t count) {
    if (count > 64) more_.resize(count - 64);
  }
  void set(std::uint32_t bit) {
    if (bit < 64) {
      first_ |= std::uint64_t{1} << bit;
    } else {
      more_[bit - 64] = true;
    }
  }
  [[nodiscard]] bool has(std::uint32_t bit) const {
    return bit < 64 ? (first_ >> bit & 1) != 0 : more_[bit - 64];
  }

 private:
  std::uint64_t first_ = 0;  // bits 0 to 63
  std::vector<bool> more_;   // bits from 64 on
};

Path item_path(const Context& context, std::size_t index) {
  return {.parent = context.path, .key = {}, .index = index, .is_item = true};
}

// The functions below evaluate one keyword each, or one item or member; false: a violation.

// Evaluates an item that `prefixItems` does not describe, or that no keyword has evaluated, with
// the schema `id` for such items.
bool further_item(Evaluator& e, NodeId id, const Context& context, json::View item,
                  std::size_t index) {
  const Path path = item_path(context, index);
  const Context inside{.view = item, .path = &path, .scope = context.scope};
  const Node& node = e.program().nodes[id];
  if (!node.rejects || !e.reporting()) return e.evaluate(id, inside);
  e.report(node, "", inside, index == 0 ? "no items" : "no more than " + counted(index, "item"),
           fmt::format("item {}", index));
  return false;
}

bool items(Evaluator& e, const ArrayRules& rules, const Context& context) {
  bool ok = true;
  std::size_t index = 0;
  for (const json::View item : context.view.items()) {
    const bool in_prefix = index < rules.prefix.size();
    if (!in_prefix && rules.rest == kNone) break;
    if (in_prefix) {
      const Path path = item_path(context, index);
      const Context inside{.view = item, .path = &path, .scope = context.scope};
      ok = e.evaluate(rules.prefix[index], inside) && ok;
    } else {
      ok = further_item(e, rules.rest, context, item, index) && ok;
    }
    if (!ok && !e.reporting()) return false;
    ++index;
  }
  if (context.evaluated == nullptr) return ok;
  if (rules.rest != kNone) {
    context.evaluated->mark_all();
  } else {
    for (std::size_t i = 0; i < index; ++i) context.evaluated->mark(i);
  }
  return ok;
}

bool contains(Evaluator& e, const Node& node, const ArrayRules& rules, const Context& context) {
  const bool marks = context.evaluated != nullptr && rules.contains_counts_as_evaluated;
  std::uint64_t matches = 0;
  std::size_t index = 0;
  for (const json::View item : context.view.items()) {
    const Path path = item_path(context, index);
    const Context inside{.view = item, .path = &path, .scope = context.scope};
    if (e.silently(rules.contains, inside)) {
      ++matches;
      if (marks) context.evaluated->mark(index);
      if (matches > rules.most_contained) break;
      const bool enough = matches >= rules.least_contained && rules.most_contained == kUnlimited;
      if (enough && !marks) break;
    }
    ++index;
  }
  if (matches >= rules.least_contained && matches <= rules.most_contained) return true;
  if (!e.reporting()) return false;
  if (matches < rules.least_contained) {
    const bool is_default = rules.least_contained == 1;  // as without `minContains`
    e.report(node, is_default ? "contains" : "minContains", context,
             "at least " + counted(rules.least_contained, "item") + " that \"contains\" describes",
             matches == 0 ? "none" : counted(matches, "such item"));
  } else {
    e.report(node, "maxContains", context,
             "at most " + counted(rules.most_contained, "item") + " that \"contains\" describes",
             "more than that");
  }
  return false;
}

// Sorts the items by hash and compares only items with equal hashes, which avoids quadratic time.
bool unique(Evaluator& e, const Node& node, const Context& context) {
  if (!e.charge(context.view.raw().size())) return false;
  struct HashedItem {
    std::uint64_t hash;
    std::size_t index;
    json::View item;
  };
  std::vector<HashedItem> all;
  all.reserve(context.view.size());
  for (const json::View item : context.view.items())
    all.push_back({schema_hash(item), all.size(), item});
  std::sort(all.begin(), all.end(), [](const HashedItem& a, const HashedItem& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.index < b.index;
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size() && all[k].hash == all[i].hash; ++k) {
      if (!e.charge(all[k].item.raw().size())) return false;
      if (!schema_equal(all[i].item, all[k].item)) continue;
      if (e.reporting()) {
        e.report(node, "uniqueItems", context, "items that all differ",
                 fmt::format("items {} and {} are equal", all[i].index, all[k].index));
      }
      return false;
    }
  }
  return true;
}

// Evaluates a member that no (pattern) property describes, or that no keyword has evaluated, with
// the schema `id` for such members. `inside`: the context of the member.
bool further_member(Evaluator& e, NodeId id, const Context& inside) {
  const Node& node = e.program().nodes[id];
  if (!node.rejects || !e.reporting()) return e.evaluate(id, inside);
  std::string name = inside.path->key.string();
  std::string found = "member " + quoted(name);
  e.report(node, "", inside, "no further members", std::move(found),
           Violation::Kind::unknown_member, std::move(name));
  return false;
}

// Evaluates one member, also one that a later member of the same name hides. `index`: its position
// in the object.
bool member(Evaluator& e, const ObjectRules& rules, const Context& context,
            const json::Member& member, std::size_t index, FoundNames& seen) {
  std::string decoded;
  std::string_view key = member.key.string_source();
  if (key.find('\\') != std::string_view::npos) key = decoded = member.key.string();
  const Path path{.parent = context.path, .key = member.key};
  const Context inside{.view = member.value, .path = &path, .scope = context.scope};
  bool described = false;
  bool ok = true;
  if (const Name* name = rules.find(key)) {
    if (name->presence_bit != kNone) seen.set(name->presence_bit);
    if (name->node != kNone) {
      described = true;
      ok = e.evaluate(name->node, inside);
    }
  }
  for (const auto& [pattern, node] : rules.patterns) {
    const Pattern& name = e.program().patterns[pattern];
    if (!e.charge(key.size() * name.instructions())) return false;
    if (!name.matches(key)) continue;
    described = true;
    ok = e.evaluate(node, inside) && ok;
  }
  if (!described && rules.additional != kNone) {
    described = true;
    ok = further_member(e, rules.additional, inside) && ok;
  }
  if (rules.property_names != kNone) {
    const Path name_path{.parent = context.path, .key = member.key, .is_name = true};
    const Context of_name{.view = member.key, .path = &name_path, .scope = context.scope};
    ok = e.evaluate(rules.property_names, of_name) && ok;
  }
  if (described && context.evaluated != nullptr) context.evaluated->mark(index);
  return ok;
}

bool members(Evaluator& e, const ObjectRules& rules, const Context& context, FoundNames& seen) {
  bool ok = true;
  std::size_t index = 0;
  for (const json::Member& each : context.view.members()) {
    if (!e.charge()) return false;
    ok = member(e, rules, context, each, index++, seen) && ok;
    if (!ok && !e.reporting()) return false;
  }
  return ok;
}

bool required(Evaluator& e, const Node& node, const ObjectRules& rules, const Context& context,
              const FoundNames& seen) {
  bool ok = true;
  for (const std::uint32_t bit : rules.required) {
    if (seen.has(bit)) continue;
    ok = false;
    if (!e.reporting()) return false;
    std::string name(rules.name_of_bit(bit));
    std::string expected = "member " + quoted(name);
    e.report(node, "required", context, std::move(expected), "missing",
             Violation::Kind::missing_member, std::move(name));
  }
  return ok;
}

void report_missing_dependency(Evaluator& e, const Node& node, const ObjectRules& rules,
                               const ObjectRules::Dependency& dependency, const Context& context) {
  e.report(node, rules.old_dependencies ? "dependencies" : "dependentRequired", context,
           fmt::format("member {}, because there is a member {}",
                       quoted(rules.name_of_bit(dependency.needs)),
                       quoted(rules.name_of_bit(dependency.if_present))),
           "missing");
}

bool dependencies(Evaluator& e, const Node& node, const ObjectRules& rules, const Context& context,
                  const FoundNames& seen) {
  bool ok = true;
  for (const ObjectRules::Dependency& dependency : rules.dependencies) {
    if (!seen.has(dependency.if_present)) continue;
    if (dependency.node != kNone) {
      ok = e.evaluate(dependency.node, context) && ok;
    } else if (!seen.has(dependency.needs)) {
      ok = false;
      if (e.reporting()) report_missing_dependency(e, node, rules, dependency, context);
    }
    if (!ok && !e.reporting()) return false;
  }
  return ok;
}

}  // namespace

bool arrays(Evaluator& e, const Node& node, const Context& context) {
  const ArrayRules& rules = e.program().arrays[node.arrays];
  bool ok = size_within(e, node, context, {rules.least, rules.most, "minItems", "maxItems", "item"},
                        context.view.size());
  if (!ok && !e.reporting()) return false;
  if (!rules.prefix.empty() || rules.rest != kNone) ok = items(e, rules, context) && ok;
  if (!ok && !e.reporting()) return false;
  if (rules.contains != kNone) ok = contains(e, node, rules, context) && ok;
  if (!ok && !e.reporting()) return false;
  if (rules.unique) ok = unique(e, node, context) && ok;
  return ok;
}

bool unevaluated_items(Evaluator& e, const Node& node, const Context& context,
                       EvaluatedParts& evaluated) {
  bool ok = true;
  std::size_t index = 0;
  for (const json::View item : context.view.items()) {
    if (!evaluated.has(index)) {
      ok = further_item(e, node.unevaluated_items, context, item, index) && ok;
      if (!ok && !e.reporting()) return false;
    }
    ++index;
  }
  evaluated.mark_all();
  return ok;
}

// Members with the same key count once, as in the equality of objects.
bool member_count(Evaluator& e, const Node& node, const ObjectRules& rules,
                  const Context& context) {
  std::uint64_t count = context.view.size();
  if (rules.least > 0 || count > rules.most) {
    if (!e.charge(context.view.raw().size())) return false;
    count -= json::shadowed_members(context.view).size();
  }
  return size_within(e, node, context,
                     {rules.least, rules.most, "minProperties", "maxProperties", "member"}, count);
}

bool objects(Evaluator& e, const Node& node, const Context& context) {
  const ObjectRules& rules = e.program().objects[node.objects];
  bool ok = member_count(e, node, rules, context);
  if (!ok && !e.reporting()) return false;
  FoundNames seen(rules.presence_bits);
  ok = members(e, rules, context, seen) && ok;
  if (!ok && !e.reporting()) return false;
  if (!rules.required.empty()) ok = required(e, node, rules, context, seen) && ok;
  if (!ok && !e.reporting()) return false;
  if (!rules.dependencies.empty()) ok = dependencies(e, node, rules, context, seen) && ok;
  return ok;
}

bool unevaluated_properties(Evaluator& e, const Node& node, const Context& context,
                            EvaluatedParts& evaluated) {
  bool ok = true;
  std::size_t index = 0;
  for (const json::Member& each : context.view.members()) {
    if (!evaluated.has(index++)) {
      const Path path{.parent = context.path, .key = each.key};
      const Context inside{.view = each.value, .path = &path, .scope = context.scope};
      ok = further_member(e, node.unevaluated_properties, inside) && ok;
      if (!ok && !e.reporting()) return false;
    }
  }
  evaluated.mark_all();
  return ok;
}

}  // namespace enfold::schema::detail
