// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/rules.h"
#include "enfold/check/sample_leaf.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/schema/schema.h"

#include <algorithm>
#include <deque>

namespace enfold::check {
namespace {

// Bounds of a sample. A schema that requires more gets a sample that does not meet it, and
// sample_arguments() fails.
constexpr std::size_t kDeepest = 16;     // nested schemas
constexpr std::size_t kMostItems = 64;   // of an array; an object gets invented members up to it
constexpr std::size_t kMostParts = 64;   // that one schema is composed of
constexpr std::size_t kMostChoices = 8;  // alternatives of anyOf and oneOf that are tried

// Writes a value for a schema: a guess, which sample_arguments then validates.
class SampleWriter {
 public:
  /// `choice`: which alternative of anyOf and oneOf to take, from 0. `whole`: write also members
  /// that are not required.
  SampleWriter(json::View root, std::size_t choice, bool whole)
      : root_(root), choice_(choice), whole_(whole) {}

  /// Writes a value. `nth`: which of several different values, from 0, for arrays without
  /// duplicates.
  void write(json::View schema, std::size_t depth, std::size_t nth = 0) {
    if (depth > kDeepest) {
      writer.null();
      return;
    }
    SchemaParts parts;
    collect(schema, parts, 0);
    if (const auto value = provided_value(parts, nth)) {
      writer.value(*value);
      return;
    }
    const std::string type = type_of(parts);
    if (type == "object") {
      object(parts, depth);
    } else if (type == "array") {
      array(parts, depth);
    } else if (type == "integer" || type == "number") {
      write_number(writer, number_for(parts, type == "integer", nth));
    } else if (type == "boolean") {
      writer.boolean(nth % 2 == 1);
    } else if (type == "null") {
      writer.null();
    } else {
      writer.string(text_for(parts, nth));
    }
  }

  json::Writer writer;

 private:
  // Adds the schemas that apply to a value together: `schema` itself, the target of its local $ref,
  // all of allOf, and one of anyOf and oneOf. `depth`: of nested calls.
  void collect(json::View schema, SchemaParts& parts, std::size_t depth) const {
    if (!schema.is_object() || depth > kDeepest || parts.size() > kMostParts) return;
    parts.push_back(schema);
    if (const auto reference = schema.find("$ref"); reference && reference->is_string()) {
      const auto pointer = json::Pointer::parse(reference->string());
      if (const auto target = pointer ? pointer->resolve(root_) : std::nullopt) {
        collect(*target, parts, depth + 1);
      }
    }
    if (const auto all = schema.find("allOf"); all && all->is_array()) {
      for (const json::View one : all->items()) collect(one, parts, depth + 1);
    }
    for (const std::string_view list : {"anyOf", "oneOf"}) {
      const auto found = schema.find(list);
      if (!found || !found->is_array() || found->size() == 0) continue;
      collect(*found->item(choice_ % found->size()), parts, depth + 1);
    }
  }

  // The type to write, other than null if the schema allows another one; without `type`, guessed
  // from the keywords.
  static std::string type_of(const SchemaParts& parts) {
    for (const json::View part : parts) {
      const auto type = part.find("type");
      if (type && type->is_string()) return type->string();
      if (!type || !type->is_array()) continue;
      for (const json::View one : type->items()) {
        if (!one.equals("null")) return one.string();
      }
      return "null";
    }
    const auto has = [&](std::string_view name) { return find_in(parts, name).has_value(); };
    if (has("properties") || has("required")) return "object";
    if (has("items") || has("minItems")) return "array";
    for (const std::string_view bound :
         {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}) {
      if (has(bound)) return "number";
    }
    return "string";
  }

  static std::vector<std::string> required_names(const SchemaParts& parts) {
    std::vector<std::string> names;
    for (const json::View part : parts) {
      const auto required = part.find("required");
      if (!required || !required->is_array()) continue;
      for (const json::View name : required->items()) {
        if (std::find(names.begin(), names.end(), name.string()) == names.end()) {
          names.push_back(name.string());
        }
      }
    }
    return names;
  }

  // The members to write: those that are required, then others if `whole_` is set or minProperties
  // requires more.
  [[nodiscard]] std::vector<std::string> names_for(const SchemaParts& parts) const {
    std::vector<std::string> names = required_names(parts);
    const std::size_t least = count_in(parts, "minProperties").value_or(0);
    for (const json::View part : parts) {
      const auto properties = part.find("properties");
      if (!properties || !properties->is_object()) continue;
      for (const json::Member& member : properties->members()) {
        const std::string name = member.key.string();
        if (!whole_ && names.size() >= least) break;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    for (std::size_t i = names.size(); i < std::min(least, kMostItems); ++i) {
      names.push_back("member_" + std::to_string(i + 1));
    }
    return names;
  }

  void object(const SchemaParts& parts, std::size_t depth) {
    writer.begin_object();
    for (const std::string& name : names_for(parts)) {
      writer.key(name);
      write(schema_of_member(parts, name), depth + 1);
    }
    writer.end_object();
  }

  // The schema of a member. Several parts may have one for it; then the result is their allOf.
  json::View schema_of_member(const SchemaParts& parts, const std::string& name) {
    json::Writer all_of;
    all_of.begin_object().key("allOf").begin_array();
    std::vector<json::View> found;
    for (const json::View part : parts) {
      const auto properties = part.find("properties");
      if (const auto one = properties ? properties->find(name) : std::nullopt) {
        found.push_back(*one);
      } else if (const auto others = part.find("additionalProperties"); others) {
        if (others->is_object()) found.push_back(*others);
      }
    }
    if (found.size() == 1) return found.front();
    for (const json::View one : found) all_of.value(one);
    all_of.end_array().end_object();
    return generated_.emplace_back(std::move(all_of).finish_value()).view();
  }

  void array(const SchemaParts& parts, std::size_t depth) {
    const auto items = find_in(parts, "items");
    const auto prefix = find_in(parts, "prefixItems");
    const auto contains = find_in(parts, "contains");
    const auto unique = find_in(parts, "uniqueItems");
    const std::size_t contained = contains ? count_in(parts, "minContains").value_or(1) : 0;
    const std::size_t least =
        std::max(count_in(parts, "minItems").value_or(whole_ ? 1 : 0), contained);
    const std::size_t most = count_in(parts, "maxItems").value_or(kMostItems);
    writer.begin_array();
    for (std::size_t i = 0; i < std::min({least, most, kMostItems}); ++i) {
      const auto own = prefix && prefix->is_array() ? prefix->item(i) : std::nullopt;
      const json::View fallback = i < contained ? *contains : items.value_or(empty_.view());
      write(own.value_or(fallback), depth + 1, unique && unique->boolean() ? i : 0);
    }
    writer.end_array();
  }

  json::View root_;
  std::size_t choice_;
  bool whole_;
  json::Value empty_ = json::parse_own("{}");
  std::deque<json::Value> generated_;  ///< schemas that schema_of_member() returns views of
};

}  // namespace

Result<json::Value> sample_arguments(const json::Value& input_schema) {
  const Result<schema::Schema> schema = schema::Schema::compile(input_schema);
  for (const bool whole : {false, true}) {
    for (std::size_t choice = 0; choice < kMostChoices; ++choice) {
      SampleWriter sample(input_schema.view(), choice, whole);
      sample.write(input_schema.view(), 0);
      json::Value arguments = std::move(sample.writer).finish_value();
      // If the schema cannot be compiled, the arguments are used unchecked.
      const bool fits = !schema || schema->accepts(arguments.view()).value_or(false);
      if (arguments->is_object() && fits) return arguments;
    }
  }
  // `where` is empty: the caller names the tool, which this function does not know.
  return fail(ErrorCode::unsupported,
              "no arguments could be generated that its input schema accepts", {},
              "write a call of the tool into a file for --calls");
}

}  // namespace enfold::check
