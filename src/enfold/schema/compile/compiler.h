// SPDX-License-Identifier: Apache-2.0
// The state of one compilation, and the tables of keywords. A keyword reports an error with
// set_error; the first error ends the compilation.
#pragma once

#include "enfold/schema/compile/program.h"

#include <span>

namespace enfold::schema::detail {

/// The schema object that is being compiled, and the parts of its node that are finished.
struct NodeBuilder {
  NodeId id = 0;
  json::View schema;
  Rules rules;
  std::string_view keyword;  ///< that is being read, for messages
  Node node;
  std::vector<Applicator> applicators;
  std::map<std::string, Name, std::less<>> names;  ///< of members that keywords mention
};

class Compiler {
 public:
  explicit Compiler(const Options& options) : index_(options) {}
  [[nodiscard]] Result<Program> run(const json::Value& schema);

  [[nodiscard]] SchemaIndex& index() { return index_; }
  [[nodiscard]] Program& program() { return program_; }
  [[nodiscard]] auto& dynamic_names() { return dynamic_names_; }

  /// The node of a schema, which may not be compiled yet.
  [[nodiscard]] NodeId node(const Target& target);
  [[nodiscard]] NodeId child(json::View schema);
  /// Adds an applicator; `name`: the id of a dynamic reference's name, from dynamic_names().
  void add(NodeBuilder& builder, Op op, const std::vector<NodeId>& nodes,
           std::uint32_t name = kNone);
  // The rules of the node for one kind of value; created on first use.
  [[nodiscard]] NumberRules& numbers(NodeBuilder& builder);
  [[nodiscard]] StringRules& strings(NodeBuilder& builder);
  [[nodiscard]] ArrayRules& arrays(NodeBuilder& builder);
  [[nodiscard]] ObjectRules& objects(NodeBuilder& builder);
  /// Sets the error and returns 0 if the value is not an integer of at least 0.
  [[nodiscard]] std::uint64_t read_count(NodeBuilder& builder, json::View value);
  /// The index of the compiled pattern; `place` is its location, for errors.
  [[nodiscard]] std::uint32_t pattern_id(const std::string& text, std::string place);
  /// The number of the bit that the evaluator sets if the object has a member of this name; the
  /// same for each call with the name.
  [[nodiscard]] std::uint32_t presence_bit(NodeBuilder& builder, const std::string& name);
  /// Returns `holds`; if false, sets the error "expected …, found …".
  bool expect(const NodeBuilder& builder, bool holds, std::string_view expected, json::View found);
  void set_error(Error error);  ///< keeps the first error
  /// The location of the keyword being read.
  [[nodiscard]] std::string where(const NodeBuilder& builder) const;

 private:
  void compile_object(NodeBuilder& builder);
  /// Copies the finished node into the program.
  void finish(NodeBuilder& builder);
  /// Compiles the dynamic anchors that a dynamic reference may mean.
  void add_dynamic_anchors();

  SchemaIndex index_;
  Program program_;
  std::vector<json::View> schemas_;  ///< by NodeId, also those that are not compiled yet
  std::map<std::pair<const json::detail::Storage*, std::uint32_t>, NodeId> nodes_;
  std::map<std::string, std::uint32_t, std::less<>> pattern_ids_;
  std::uint64_t pattern_weight_ = 0;                                 ///< sum over all patterns
  std::size_t pattern_instructions_ = 0;                             ///< sum over all patterns
  std::map<std::string, std::uint32_t, std::less<>> dynamic_names_;  ///< ids by anchor name
  std::optional<Error> error_;
};

/// A keyword: the dialects and the vocabulary it is part of, and the function that reads its value.
struct Keyword {
  std::string_view name;
  bool in_2020_12;
  bool in_07;
  Vocabulary vocabulary;
  void (*read)(Compiler& compiler, NodeBuilder& builder, json::View value);
};

/// Sorted by name.
[[nodiscard]] std::span<const Keyword> keywords();

}  // namespace enfold::schema::detail
