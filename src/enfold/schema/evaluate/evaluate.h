// SPDX-License-Identifier: Apache-2.0
// Evaluates a compiled schema. Silent evaluation (max_violations is 0) stops at the first failure;
// reporting evaluation collects up to max_violations. Steps and depth are limited.
#pragma once

#include "enfold/schema/compile/program.h"
#include "enfold/schema/schema.h"

namespace enfold::schema::detail {

/// Which items or members a keyword has evaluated, for `unevaluated…`.
class EvaluatedParts {
 public:
  void mark(std::size_t index);
  void mark_all() { all_ = true; }
  [[nodiscard]] bool has(std::size_t index) const {
    return all_ || (index < marks_.size() && marks_[index]);
  }
  void merge(const EvaluatedParts& other);

 private:
  bool all_ = false;
  std::vector<bool> marks_;
};

/// The path from the root to the current value; a linked list on the call stack.
struct Path {
  const Path* parent = nullptr;  ///< nullptr: the root
  json::View key;                ///< of a member
  std::size_t index = 0;         ///< of an item
  bool is_item = false;          ///< false: a member
  bool is_name = false;          ///< the current value is the member's name
};

/// The schema resources being evaluated, innermost first, for dynamic references.
struct Scope {
  const Scope* parent = nullptr;
  ResourceId resource = 0;
};

/// The current value and what is known about it.
struct Context {
  json::View view;
  const Path* path = nullptr;           ///< nullptr: the root of the instance
  const Scope* scope = nullptr;         ///< tracked only if a reference is dynamic
  EvaluatedParts* evaluated = nullptr;  ///< nullptr: not tracked
};

struct SizeRange {
  std::uint64_t least;
  std::uint64_t most;
  std::string_view least_keyword;  ///< "minItems"
  std::string_view most_keyword;   ///< "maxItems"
  std::string_view noun;           ///< "item"
};

class Evaluator {
 public:
  Evaluator(const Program& program, const Limits& limits, std::size_t max_violations)
      : program_(program),
        max_steps_(limits.schema_steps),
        max_violations_(max_violations),
        reporting_(max_violations != 0) {}

  [[nodiscard]] bool run(json::View instance);
  /// Set if a limit ended the evaluation; the result of run() is then meaningless.
  [[nodiscard]] const std::optional<Error>& stopped() const { return stopped_; }
  /// In document order.
  [[nodiscard]] std::vector<Violation> take_violations();

  [[nodiscard]] const Program& program() const { return program_; }
  /// Whether violations are to be reported: not in silently(), and not after the last that fits. If
  /// not, evaluation stops at the first failure.
  [[nodiscard]] bool reporting() const { return reporting_; }
  [[nodiscard]] std::size_t violation_count() const { return found_.size(); }
  /// Whether the value matches the schema.
  bool evaluate(NodeId id, const Context& context);
  /// Evaluates without reporting violations.
  bool silently(NodeId id, const Context& context);
  /// Counts one step of work, and one more for every 64 bytes; false if the limit is exceeded.
  bool charge(std::size_t bytes = 0) {
    steps_ += 1 + bytes / kBytesPerStep;
    return steps_ <= max_steps_ || out_of_steps();
  }
  /// Adds a violation; to be called only while reporting(). `keyword` is empty for the schema
  /// `false`.
  void report(const Node& node, std::string_view keyword, const Context& context,
              std::string expected, std::string found,
              Violation::Kind kind = Violation::Kind::other, std::string member = {});

 private:
  /// All keywords but `unevaluated…`; false: a violation.
  bool keywords(const Node& node, const Context& context);
  bool with_unevaluated(const Node& node, const Context& context);
  // These four report a violation or end the evaluation, and return false.
  bool reject(const Node& node, const Context& context);
  bool wrong_type(const Node& node, const Context& context);
  bool too_deep(const Node& node);
  bool out_of_steps();
  /// Ends the evaluation with an error.
  void stop(std::string message, std::string where, std::string hint);
  [[nodiscard]] static std::string pointer(const Path* path);

  static constexpr std::size_t kBytesPerStep = 64;

  struct Entry {
    std::uint32_t offset;  ///< of the value in the document
    Violation violation;
  };

  const Program& program_;
  std::uint64_t max_steps_;
  std::uint64_t steps_ = 0;
  std::size_t max_violations_;
  std::uint32_t depth_ = 0;
  bool reporting_;
  bool full_ = false;  ///< max_violations were found, or a limit ended the evaluation
  std::vector<Entry> found_;
  std::optional<Error> stopped_;
};

// Evaluate the keywords, by the kind of value they apply to. False: the value violates a keyword.
bool applicators(Evaluator& e, const Node& node, const Context& context);
bool arrays(Evaluator& e, const Node& node, const Context& context);
bool objects(Evaluator& e, const Node& node, const Context& context);
bool unevaluated_items(Evaluator& e, const Node& node, const Context& context,
                       EvaluatedParts& evaluated);
bool unevaluated_properties(Evaluator& e, const Node& node, const Context& context,
                            EvaluatedParts& evaluated);
/// Checks a length or a number of items or members.
bool size_within(Evaluator& e, const Node& node, const Context& context, const SizeRange& range,
                 std::uint64_t size);
/// Whether the value equals one of Program::values[id].
bool one_of_values(Evaluator& e, std::uint32_t id, json::View view);
/// Whether the value is an integer and the node allows the type `integer`.
[[nodiscard]] bool is_allowed_integer(const Node& node, json::View view);

}  // namespace enfold::schema::detail
