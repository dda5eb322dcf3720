// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/detail/pattern_tree.h"

#include "enfold/json/pointer.h"

#include <algorithm>

namespace enfold::level::detail {
namespace {

void make_set(PatternTree::States& states) {
  if (states.size() < 2) return;
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
}

}  // namespace

Status PatternTree::add(std::string_view pattern) {
  ENFOLD_TRY(const json::Pointer pointer, json::Pointer::parse(pattern));
  std::uint32_t node = 0;
  for (const std::string& token : pointer.tokens()) node = child_after(node, token);
  nodes_[node].is_end = true;
  has_patterns_ = true;
  return {};
}

std::uint32_t PatternTree::new_node(bool below_deep) {
  nodes_.emplace_back();
  nodes_.back().is_below_deep = below_deep;
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t PatternTree::child_after(std::uint32_t node, const std::string& token) {
  const bool below_deep = nodes_[node].is_deep || nodes_[node].is_below_deep;
  std::uint32_t child = 0;
  if (token == "**") {
    if (nodes_[node].is_deep) return node;  // `**/**` is the same as `**`
    child = nodes_[node].deep ? *nodes_[node].deep : new_node(true);
    nodes_[node].deep = child;
    nodes_[child].is_deep = true;
  } else if (token == "*") {
    child = nodes_[node].any ? *nodes_[node].any : new_node(below_deep);
    nodes_[node].any = child;
  } else {
    const auto known = nodes_[node].members.find(token);
    child = known != nodes_[node].members.end() ? known->second : new_node(below_deep);
    nodes_[node].members[token] = child;
  }
  return child;
}

void PatternTree::enter(std::uint32_t node, States& to) const {
  to.push_back(node);
  if (nodes_[node].deep) to.push_back(*nodes_[node].deep);
}

PatternTree::States PatternTree::start() const {
  States states;
  if (has_patterns_) enter(0, states);
  return states;
}

void PatternTree::step_member(const States& from, std::string_view key, States& to) const {
  step_item(from, to);
  for (const std::uint32_t state : from) {
    const auto next = nodes_[state].members.find(key);
    if (next != nodes_[state].members.end()) enter(next->second, to);
  }
  make_set(to);
}

void PatternTree::step_item(const States& from, States& to) const {
  to.clear();
  for (const std::uint32_t state : from) {
    if (nodes_[state].is_deep) to.push_back(state);
    if (nodes_[state].any) enter(*nodes_[state].any, to);
  }
  make_set(to);
}

bool PatternTree::matches(const States& states) const {
  return std::any_of(states.begin(), states.end(),
                     [&](std::uint32_t state) { return nodes_[state].is_end; });
}

bool PatternTree::leads_through(const States& states) const {
  return std::any_of(states.begin(), states.end(), [&](std::uint32_t state) {
    const Node& node = nodes_[state];
    return !node.is_below_deep && !node.is_end;
  });
}

}  // namespace enfold::level::detail
