// SPDX-License-Identifier: Apache-2.0
// Applies a compiled schema to a value. Silent evaluation stops at the first failure; reporting
// evaluation goes on until enough violations are found. Steps and depth are bounded.
#pragma once

#include "enfold/schema/compile/program.h"
#include "enfold/schema/schema.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::schema::detail {

/// Which items or members some keyword has looked at, for `unevaluated...`.
class Evaluated {
 public:
  void mark(std::size_t index);
  void mark_all() { all_ = true; }
  [[nodiscard]] bool has(std::size_t index) const {
    return all_ || (index < marks_.size() && marks_[index]);
  }
  void merge(const Evaluated& other);

 private:
  bool all_ = false;
  std::vector<bool> marks_;
};

class Evaluator {
 public:
  Evaluator(const Program& program, const Limits& limits, std::size_t max_violations)
      : program_(program),
        max_steps_(limits.schema_steps),
        max_violations_(max_violations),
        reporting_(max_violations != 0) {}

  [[nodiscard]] bool run(json::View instance);
  /// Set when a limit cut the work short; the answer of run() then means nothing.
  [[nodiscard]] const std::optional<Error>& stopped() const { return stopped_; }
  [[nodiscard]] std::vector<Violation> take_violations();

 private:
  /// The way from the root to the value at hand; lives on the call stack.
  struct Path {
    const Path* parent = nullptr;
    json::View key;         ///< of a member
    std::size_t index = 0;  ///< of an item
    bool is_item = false;
    bool is_name = false;  ///< the value at hand is the member's name
  };
  /// Resources that are being evaluated, for dynamic references.
  struct Scope {
    const Scope* parent = nullptr;
    ResourceId resource = 0;
  };
  /// What goes with a value through all the schemas that apply to it.
  struct Context {
    json::View view;
    const Path* path = nullptr;
    const Scope* scope = nullptr;
    Evaluated* evaluated = nullptr;  ///< nullptr: nobody asks
  };
  struct SizeRange {
    std::uint64_t least;
    std::uint64_t most;
    std::string_view least_keyword;
    std::string_view most_keyword;
    std::string_view noun;
  };
  /// Which of the names that keywords ask for were met.
  class Watched {
   public:
    explicit Watched(std::uint32_t count) {
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
    std::uint64_t first_ = 0;
    std::vector<bool> more_;
  };

  bool evaluate(NodeId id, const Context& context);
  bool keywords(const Node& node, const Context& context);
  bool with_unevaluated(const Node& node, const Context& context);
  bool reject(const Node& node, const Context& context);
  bool wrong_type(const Node& node, const Context& context);
  bool too_deep(const Node& node);
  bool size_within(const Node& node, const Context& context, const SizeRange& range,
                   std::uint64_t size);
  bool has_type(const Node& node, json::View view) const;
  bool values(const Node& node, const Context& context);
  bool one_of_values(std::uint32_t id, json::View view);
  bool numbers(const Node& node, const Context& context);
  bool strings(const Node& node, const Context& context);
  bool arrays(const Node& node, const Context& context);
  bool items(const ArrayRules& rules, const Context& context);
  bool contains(const Node& node, const ArrayRules& rules, const Context& context);
  bool further_item(NodeId id, const Context& context, json::View item, std::size_t index);
  bool unique(const Node& node, const Context& context);
  bool objects(const Node& node, const Context& context);
  bool members(const ObjectRules& rules, const Context& context, Watched& seen);
  bool member(const ObjectRules& rules, const Context& context, const json::Member& member,
              std::size_t index, Watched& seen);
  bool further_member(NodeId id, const Context& inside);
  bool required(const Node& node, const ObjectRules& rules, const Context& context,
                const Watched& seen);
  bool dependencies(const Node& node, const ObjectRules& rules, const Context& context,
                    const Watched& seen);
  void missing_dependency(const Node& node, const ObjectRules& rules,
                          const ObjectRules::Dependency& dependency, const Context& context);
  bool unevaluated_items(const Node& node, const Context& context, Evaluated& evaluated);
  bool unevaluated_properties(const Node& node, const Context& context, Evaluated& evaluated);

  bool applicators(const Node& node, const Context& context);
  bool apply(const Node& node, const Applicator& applicator, const Context& context);
  bool any_of(const Node& node, const Applicator& applicator, const Context& context);
  bool one_of(const Node& node, const Applicator& applicator, const Context& context);
  bool negation(const Node& node, NodeId child, const Context& context);
  bool condition(const Applicator& applicator, const Context& context);
  NodeId dynamic_target(const Applicator& applicator, const Scope* scope) const;
  bool silently(NodeId id, const Context& context);
  bool merge_silently(NodeId id, const Context& context);
  void explain_alternatives(const Node& node, const Applicator& applicator, const Context& context);
  void report_two_matches(const Node& node, std::uint32_t count, const Context& context,
                          std::uint32_t first, std::uint32_t second);
  bool plausible(NodeId id, json::View view, unsigned hops);

  /// Counts work: one step, and one more for every 64 bytes that are looked at.
  bool charge(std::size_t bytes = 0) {
    steps_ += 1 + bytes / kBytesPerStep;
    return steps_ <= max_steps_ || out_of_steps();
  }
  bool out_of_steps();
  void stop(std::string message, std::string where, std::string hint);
  /// Whether to give up on a value that has failed already.
  [[nodiscard]] bool fast() const { return !reporting_; }
  void report(const Node& node, std::string_view keyword, const Context& context,
              std::string expected, std::string found,
              Violation::Kind kind = Violation::Kind::other, std::string member = {});
  [[nodiscard]] static std::string pointer(const Path* path);

  static constexpr std::size_t kBytesPerStep = 64;

  struct Entry {
    std::uint32_t offset;
    Violation violation;
  };

  const Program& program_;
  std::uint64_t max_steps_;
  std::uint64_t steps_ = 0;
  std::size_t max_violations_;
  std::uint32_t depth_ = 0;
  bool reporting_;
  bool full_ = false;
  std::vector<Entry> found_;
  std::optional<Error> stopped_;
};

}  // namespace enfold::schema::detail
