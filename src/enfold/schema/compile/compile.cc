// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/compile/compiler.h"
#include "enfold/schema/compile/program.h"
#include "enfold/schema/evaluate/description.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

// nullptr: the rules have no such keyword.
const Keyword* find_keyword(const Rules& rules, std::string_view name) {
  const bool is_07 = rules.dialect == Dialect::draft_07;
  const std::span<const Keyword> all = keywords();
  for (auto at = std::ranges::lower_bound(all, name, {}, &Keyword::name);
       at != all.end() && at->name == name; ++at) {
    if ((is_07 ? at->in_07 : at->in_2020_12) && rules.has(at->vocabulary)) return &*at;
  }
  return nullptr;
}

// Largest sum of the weights (Translation::weight) of the patterns of a schema. kMostInstructions
// limits the sum of their instructions.
constexpr std::uint64_t kHeaviestPatterns = 40'000;
constexpr std::size_t kMostPatterns = 500;  // each has a matcher that keeps its own states

// The row at the index; if the index is kNone, adds a row and sets the index.
template <class T>
T& find_or_add(std::vector<T>& rows, std::uint32_t& index) {
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

std::string_view ObjectRules::name_of_bit(std::uint32_t presence_bit) const {
  for (const Name& name : names) {
    if (name.presence_bit == presence_bit) return name.text;
  }
  return {};
}

Result<Program> Compiler::run(const json::Value& schema) {
  ENFOLD_TRY(auto root, index_.add_root(schema));
  program_.root = node(root);
  for (std::size_t next = 0; !error_ && next < schemas_.size(); ++next) {
    NodeBuilder builder;
    builder.id = static_cast<NodeId>(next);
    builder.schema = schemas_[next];
    builder.node = program_.nodes[next];
    builder.rules = index_.resource(builder.node.place.resource).rules;
    if (builder.schema.is_boolean()) {
      program_.nodes[next].rejects = !builder.schema.boolean();
    } else if (expect(builder, builder.schema.is_object(), "a schema: an object or a boolean",
                      builder.schema)) {
      compile_object(builder);
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

void Compiler::compile_object(NodeBuilder& builder) {
  // If a key occurs twice, the last member with it counts.
  std::map<std::string, json::View> members;
  for (const json::Member& member : builder.schema.members()) {
    members.insert_or_assign(member.key.string(), member.value);
  }
  const auto ref = members.find("$ref");
  if (builder.rules.dialect == Dialect::draft_07 && ref != members.end()) {
    builder.keyword = "$ref";
    find_keyword(builder.rules, "$ref")->read(*this, builder, ref->second);
  } else {
    for (const auto& [name, value] : members) {
      const Keyword* keyword = find_keyword(builder.rules, name);
      if (keyword == nullptr) continue;
      builder.keyword = keyword->name;
      keyword->read(*this, builder, value);
      if (error_) return;
    }
  }
  finish(builder);
}

void Compiler::finish(NodeBuilder& builder) {
  builder.node.first_applicator = static_cast<std::uint32_t>(program_.applicators.size());
  builder.node.applicator_count = static_cast<std::uint32_t>(builder.applicators.size());
  program_.applicators.insert(program_.applicators.end(), builder.applicators.begin(),
                              builder.applicators.end());
  if (!builder.names.empty()) {
    ObjectRules& rules = objects(builder);
    for (auto& [text, name] : builder.names) rules.names.push_back(std::move(name));
    rules.index_names();
  }
  program_.nodes[builder.id] = builder.node;
}

// A dynamic reference may resolve to any anchor of its name in a resource that is being evaluated,
// so all of these anchors are compiled. Compiling them may add resources.
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

NumberRules& Compiler::numbers(NodeBuilder& builder) {
  return find_or_add(program_.numbers, builder.node.numbers);
}
StringRules& Compiler::strings(NodeBuilder& builder) {
  return find_or_add(program_.strings, builder.node.strings);
}
ArrayRules& Compiler::arrays(NodeBuilder& builder) {
  return find_or_add(program_.arrays, builder.node.arrays);
}
ObjectRules& Compiler::objects(NodeBuilder& builder) {
  return find_or_add(program_.objects, builder.node.objects);
}

std::uint32_t Compiler::presence_bit(NodeBuilder& builder, const std::string& name) {
  Name& entry = builder.names[name];
  entry.text = name;
  if (entry.presence_bit == kNone) entry.presence_bit = objects(builder).presence_bits++;
  return entry.presence_bit;
}

void Compiler::add(NodeBuilder& builder, Op op, const std::vector<NodeId>& nodes,
                   std::uint32_t name) {
  const auto first = static_cast<std::uint32_t>(program_.children.size());
  program_.children.insert(program_.children.end(), nodes.begin(), nodes.end());
  builder.applicators.push_back(
      Applicator{op, name, first, static_cast<std::uint32_t>(nodes.size())});
}

std::uint64_t Compiler::read_count(NodeBuilder& builder, json::View value) {
  const auto number = value.is_number() ? json::Number(value.number()).to_unsigned() : std::nullopt;
  if (!expect(builder, number.has_value(), "an integer of at least 0", value)) return 0;
  return *number;
}

std::uint32_t Compiler::pattern_id(const std::string& text, std::string place) {
  const auto fresh = static_cast<std::uint32_t>(program_.patterns.size());
  const auto [at, inserted] = pattern_ids_.emplace(text, fresh);
  if (!inserted || error_) return at->second;  // after an error, the result is not used
  auto compiled = Pattern::compile(text, kMostInstructions - pattern_instructions_);
  if (!compiled) {
    compiled.error().where = std::move(place);
    set_error(std::move(compiled.error()));
    return fresh;
  }
  pattern_weight_ += compiled->weight();
  pattern_instructions_ += compiled->instructions();
  if (pattern_weight_ > kHeaviestPatterns || pattern_instructions_ >= kMostInstructions) {
    set_error(Error{ErrorCode::limit_exceeded, "the patterns of the schema are too large together",
                    std::move(place), "Use smaller repeats or \"maxLength\"."});
  } else if (fresh >= kMostPatterns) {
    set_error(
        Error{ErrorCode::limit_exceeded,
              fmt::format("expected a schema with at most {} different patterns", kMostPatterns),
              std::move(place),
              {}});
  }
  program_.patterns.push_back(std::move(*compiled));
  return fresh;
}

bool Compiler::expect(const NodeBuilder& builder, bool holds, std::string_view expected,
                      json::View found) {
  if (holds) return true;
  set_error(Error{ErrorCode::invalid_input,
                  fmt::format("expected {}, found {}", expected, describe(found)),
                  where(builder),
                  {}});
  return false;
}

void Compiler::set_error(Error error) {
  if (!error_) error_ = std::move(error);
}

std::string Compiler::where(const NodeBuilder& builder) const {
  std::string place = index_.location(builder.node.place);
  if (!builder.keyword.empty()) (place += '/') += builder.keyword;
  return place;
}

Result<Program> compile_schema(const json::Value& schema, const Options& options) {
  return Compiler(options).run(schema);
}

}  // namespace enfold::schema::detail
