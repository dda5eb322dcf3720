// SPDX-License-Identifier: Apache-2.0
// The state of one compilation. Keywords are methods, listed in a table in schema_compile.cc; the
// first error stops everything, so they report by setting it.
#pragma once

#include "enfold/schema/compile/program.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace enfold::schema::detail {

/// The schema object whose keywords are being read.
struct Draft {
  NodeId id = 0;
  json::View schema;
  Rules rules;
  std::string_view keyword;
  Node node;
  std::vector<Applicator> applicators;
  std::map<std::string, Name, std::less<>> names;
};

class Compiler {
 public:
  explicit Compiler(const Options& options) : index_(options) {}
  [[nodiscard]] Result<Program> run(const json::Value& schema);

  // Keywords of the core and applicator vocabularies (schema_compile_applicators.cc).
  void ref(Draft& draft, json::View value);
  void dynamic_ref(Draft& draft, json::View value);
  void all_of(Draft& draft, json::View value) { list(draft, value, Op::all_of); }
  void any_of(Draft& draft, json::View value) { list(draft, value, Op::any_of); }
  void one_of(Draft& draft, json::View value) { list(draft, value, Op::one_of); }
  void negation(Draft& draft, json::View value);
  void condition(Draft& draft, json::View value);
  void prefix_items(Draft& draft, json::View value);
  void items(Draft& draft, json::View value);
  void items_07(Draft& draft, json::View value);
  void additional_items(Draft& draft, json::View value);
  void contains(Draft& draft, json::View value);
  void properties(Draft& draft, json::View value);
  void pattern_properties(Draft& draft, json::View value);
  void additional_properties(Draft& draft, json::View value);
  void property_names(Draft& draft, json::View value);
  void dependent_schemas(Draft& draft, json::View value);
  void dependencies(Draft& draft, json::View value);
  void unevaluated_items(Draft& draft, json::View value);
  void unevaluated_properties(Draft& draft, json::View value);

  // Keywords of the validation vocabulary (schema_compile_assertions.cc).
  void type(Draft& draft, json::View value);
  void constant(Draft& draft, json::View value);
  void enumeration(Draft& draft, json::View value);
  void minimum(Draft& draft, json::View value) { bound(draft, value, &NumberRules::minimum); }
  void maximum(Draft& draft, json::View value) { bound(draft, value, &NumberRules::maximum); }
  void exclusive_minimum(Draft& draft, json::View value) {
    bound(draft, value, &NumberRules::exclusive_minimum);
  }
  void exclusive_maximum(Draft& draft, json::View value) {
    bound(draft, value, &NumberRules::exclusive_maximum);
  }
  void multiple_of(Draft& draft, json::View value);
  void min_length(Draft& draft, json::View value) { strings(draft).least = count(draft, value); }
  void max_length(Draft& draft, json::View value) { strings(draft).most = count(draft, value); }
  void pattern(Draft& draft, json::View value);
  void min_items(Draft& draft, json::View value) { arrays(draft).least = count(draft, value); }
  void max_items(Draft& draft, json::View value) { arrays(draft).most = count(draft, value); }
  void unique_items(Draft& draft, json::View value);
  void min_contains(Draft& draft, json::View value);
  void max_contains(Draft& draft, json::View value);
  void min_properties(Draft& draft, json::View value) {
    objects(draft).least = count(draft, value);
  }
  void max_properties(Draft& draft, json::View value) { objects(draft).most = count(draft, value); }
  void required(Draft& draft, json::View value);
  void dependent_required(Draft& draft, json::View value);

 private:
  void compile_object(Draft& draft);
  void finish(Draft& draft);
  void add_dynamic_anchors();

  /// The node of a schema; it is compiled when its turn comes.
  [[nodiscard]] NodeId node(const Target& target);
  [[nodiscard]] NodeId child(json::View schema);
  [[nodiscard]] std::optional<NodeId> optional_child(json::View parent, std::string_view keyword);
  void add(Draft& draft, Op op, const std::vector<NodeId>& nodes, std::uint32_t name = kNone);
  void list(Draft& draft, json::View value, Op op);
  void needs(Draft& draft, std::uint32_t trigger, json::View names);

  [[nodiscard]] NumberRules& numbers(Draft& draft);
  [[nodiscard]] StringRules& strings(Draft& draft);
  [[nodiscard]] ArrayRules& arrays(Draft& draft);
  [[nodiscard]] ObjectRules& objects(Draft& draft);
  void bound(Draft& draft, json::View value, std::optional<Bound> NumberRules::* member);
  [[nodiscard]] std::uint64_t count(Draft& draft, json::View value);
  [[nodiscard]] std::uint32_t pattern_id(const std::string& text, std::string place);
  /// The bit that tells whether a member is there.
  [[nodiscard]] std::uint32_t watch(Draft& draft, const std::string& name);

  /// Whether the value has the shape; if not, that is the error.
  bool expect(const Draft& draft, bool holds, std::string_view expected, json::View found);
  void set_error(Error error);
  [[nodiscard]] std::string where(const Draft& draft) const;

  SchemaIndex index_;
  Program program_;
  std::vector<json::View> schemas_;  ///< by node
  std::map<std::pair<const json::detail::Storage*, std::uint32_t>, NodeId> nodes_;
  std::map<std::string, std::uint32_t, std::less<>> pattern_ids_;
  std::uint64_t pattern_weight_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> dynamic_names_;
  std::optional<Error> error_;
};

}  // namespace enfold::schema::detail
