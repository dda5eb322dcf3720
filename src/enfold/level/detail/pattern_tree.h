// SPDX-License-Identifier: Apache-2.0
// JSON Pointer patterns merged into a tree (an NFA). A walk over a value keeps the set of active
// nodes, so `**` needs no backtracking.
#pragma once

#include "enfold/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::level::detail {

class PatternTree {
 public:
  /// The active nodes of a walk, sorted. Empty: no pattern can match here or below.
  using States = std::vector<std::uint32_t>;

  [[nodiscard]] Status add(std::string_view pattern);
  [[nodiscard]] bool has_patterns() const { return has_patterns_; }

  [[nodiscard]] States start() const;
  void step_member(const States& from, std::string_view key, States& to) const;
  void step_item(const States& from, States& to) const;

  [[nodiscard]] bool matches(const States& states) const;
  /// Whether a pattern names something below here without `**`.
  [[nodiscard]] bool leads_through(const States& states) const;

 private:
  struct Node {
    std::map<std::string, std::uint32_t, std::less<>> members;
    std::optional<std::uint32_t> any;   ///< after `*`
    std::optional<std::uint32_t> deep;  ///< after `**`; entered together with this node
    bool is_deep = false;               ///< a `**` node: stays active at every step
    bool is_below_deep = false;
    bool is_end = false;
  };

  std::uint32_t child_after(std::uint32_t node, const std::string& token);
  std::uint32_t new_node(bool below_deep);
  void enter(std::uint32_t node, States& to) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
  bool has_patterns_ = false;
};

}  // namespace enfold::level::detail
