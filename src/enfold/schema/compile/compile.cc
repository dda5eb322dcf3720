// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/compile/compiler.h"
#include "enfold/schema/compile/program.h"
#include "enfold/schema/evaluate/description.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

const Keyword* find_keyword(const Rules& rules, std::string_view name) {
  const bool is_07 = rules.dialect == Dialect::draft_07;
  const std::span<const Keyword> all = keywords();
  for (auto at = std::ranges::lower_bound(all, name, {}, &Keyword::name);
       at != all.end() && at->name == name; ++at) {
    if ((is_07 ? at->in_07 : at->in_2020_12) && rules.has(at->vocabulary)) return &*at;
  }
  return nullptr;
}

// Compiling patterns of this total weight takes about a second.
constexpr std::uint64_t kHeaviestPatterns = 60'000;

template <class T>
T& row(std::vector<T>& rows, std::uint32_t& index) {
  if (index == kNone) {
    index = static_cast<std::uint32_t>(rows.size());
    rows.emplace_back();
  }
  return rows[index];
}

}  // namespace

void ObjectRules::index_names() {
  std::sort(names.begin(), names.end(), [](const Name& a, const Name& b) {
    return a.text.size() != b.text.size() ? a.text.size() < b.text.size() : a.text < b.text;
  });
  by_size.assign(names.back().text.size() + 2, 0);
  for (const Name& name : names) ++by_size[name.text.size() + 1];
  for (std::size_t n = 1; n < by_size.size(); ++n) by_size[n] += by_size[n - 1];
}

const Name* ObjectRules::find(std::string_view text) const {
  if (text.size() + 1 >= by_size.size()) return nullptr;
  const Name* first = names.data() + by_size[text.size()];
  const Name* last = names.data() + by_size[text.size() + 1];
  constexpr std::ptrdiff_t few = 4;
  if (last - first > few) {
    first = std::lower_bound(first, last, text, [](const Name& name, std::string_view wanted) {
      return name.text < wanted;
    });
  }
  for (; first != last; ++first) {
    const int order = std::memcmp(first->text.data(), text.data(), text.size());
    if (order == 0) return first;
    if (order > 0) break;
  }
  return nullptr;
}

std::string_view ObjectRules::watched_name(std::uint32_t watch) const {
  for (const Name& name : names) {
    if (name.watch == watch) return name.text;
  }
  return {};
}

Result<Program> Compiler::run(const json::Value& schema) {
  ENFOLD_TRY(auto root, index_.add_root(schema));
  program_.root = node(root);
  for (std::size_t next = 0; !error_ && next < schemas_.size(); ++next) {
    Draft draft;
    draft.id = static_cast<NodeId>(next);
    draft.schema = schemas_[next];
    draft.node = program_.nodes[next];
    draft.rules = index_.resource(draft.node.place.resource).rules;
    if (draft.schema.is_boolean()) {
      program_.nodes[next].rejects = !draft.schema.boolean();
    } else if (expect(draft, draft.schema.is_object(), "a schema: an object or a boolean",
                      draft.schema)) {
      compile_object(draft);
    }
    if (next + 1 == schemas_.size()) add_dynamic_anchors();
  }
  if (error_) return tl::unexpected(std::move(*error_));
  for (ResourceId id = 0; id < index_.resource_count(); ++id) {
    program_.resource_uris.push_back(index_.resource(id).uri);
  }
  program_.dynamic_anchors.resize(index_.resource_count());
  program_.is_dynamic = !dynamic_names_.empty();
  program_.documents = index_.take_documents();
  program_.steps = index_.take_steps();
  return std::move(program_);
}

void Compiler::compile_object(Draft& draft) {
  // Of duplicate keys the last counts.
  std::map<std::string, json::View> members;
  for (const json::Member& member : draft.schema.members()) {
    members.insert_or_assign(member.key.string(), member.value);
  }
  const auto ref = members.find("$ref");
  if (draft.rules.dialect == Dialect::draft_07 && ref != members.end()) {
    draft.keyword = "$ref";
    find_keyword(draft.rules, "$ref")->read(*this, draft, ref->second);
  } else {
    for (const auto& [name, value] : members) {
      const Keyword* keyword = find_keyword(draft.rules, name);
      if (keyword == nullptr) continue;
      draft.keyword = keyword->name;
      keyword->read(*this, draft, value);
      if (error_) return;
    }
  }
  finish(draft);
}

void Compiler::finish(Draft& draft) {
  draft.node.first_applicator = static_cast<std::uint32_t>(program_.applicators.size());
  draft.node.applicator_count = static_cast<std::uint32_t>(draft.applicators.size());
  program_.applicators.insert(program_.applicators.end(), draft.applicators.begin(),
                              draft.applicators.end());
  if (!draft.names.empty()) {
    ObjectRules& rules = objects(draft);
    for (auto& [text, name] : draft.names) rules.names.push_back(std::move(name));
    rules.index_names();
  }
  program_.nodes[draft.id] = draft.node;
}

// A dynamic reference may resolve to any anchor of its name in a resource being evaluated, so all
// of those are compiled, which may add resources.
void Compiler::add_dynamic_anchors() {
  if (dynamic_names_.empty()) return;
  program_.dynamic_anchors.resize(index_.resource_count());
  std::vector<bool> used(index_.resource_count());
  for (const Node& each : program_.nodes) used[each.place.resource] = true;
  for (ResourceId id = 0; id < used.size(); ++id) {
    if (!used[id]) continue;
    auto& known = program_.dynamic_anchors[id];
    for (const auto& [name, target] : index_.resource(id).dynamic_anchors) {
      const auto wanted = dynamic_names_.find(name);
      if (wanted == dynamic_names_.end()) continue;
      const std::pair entry{wanted->second, node(target)};
      if (std::find(known.begin(), known.end(), entry) == known.end()) known.push_back(entry);
    }
  }
}

NodeId Compiler::node(const Target& target) {
  const auto fresh = static_cast<NodeId>(program_.nodes.size());
  const auto [at, inserted] =
      nodes_.emplace(std::pair(target.schema.storage(), target.schema.offset()), fresh);
  if (inserted) {
    Node empty;
    empty.place = target.place;
    program_.nodes.push_back(empty);
    schemas_.push_back(target.schema);
  }
  return at->second;
}

NodeId Compiler::child(json::View schema) { return node(Target{schema, index_.place_of(schema)}); }

NumberRules& Compiler::numbers(Draft& draft) { return row(program_.numbers, draft.node.numbers); }
StringRules& Compiler::strings(Draft& draft) { return row(program_.strings, draft.node.strings); }
ArrayRules& Compiler::arrays(Draft& draft) { return row(program_.arrays, draft.node.arrays); }
ObjectRules& Compiler::objects(Draft& draft) { return row(program_.objects, draft.node.objects); }

std::uint32_t Compiler::watch(Draft& draft, const std::string& name) {
  Name& entry = draft.names[name];
  entry.text = name;
  if (entry.watch == kNone) entry.watch = objects(draft).watched++;
  return entry.watch;
}

void Compiler::add(Draft& draft, Op op, const std::vector<NodeId>& nodes, std::uint32_t name) {
  const auto first = static_cast<std::uint32_t>(program_.children.size());
  program_.children.insert(program_.children.end(), nodes.begin(), nodes.end());
  draft.applicators.push_back(
      Applicator{op, name, first, static_cast<std::uint32_t>(nodes.size())});
}

std::uint64_t Compiler::count(Draft& draft, json::View value) {
  const auto number = value.is_number() ? json::Number(value.number()).count() : std::nullopt;
  if (!expect(draft, number.has_value(), "an integer of at least 0", value)) return 0;
  return *number;
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

bool Compiler::expect(const Draft& draft, bool holds, std::string_view expected, json::View found) {
  if (holds) return true;
  set_error(Error{ErrorCode::invalid_input,
                  fmt::format("expected {}, found {}", expected, describe(found)),
                  where(draft),
                  {}});
  return false;
}

void Compiler::set_error(Error error) {
  if (!error_) error_ = std::move(error);
}

std::string Compiler::where(const Draft& draft) const {
  std::string place = index_.location(draft.node.place);
  if (!draft.keyword.empty()) (place += '/') += draft.keyword;
  return place;
}

Result<Program> compile_schema(const json::Value& schema, const Options& options) {
  return Compiler(options).run(schema);
}

}  // namespace enfold::schema::detail
