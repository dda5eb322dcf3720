// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/projection.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <deque>
#include <fmt/core.h>

namespace enfold::level {

namespace detail {

// JSON Pointer patterns merged into a tree (an NFA). A walk over a value keeps the set of active
// nodes, so `**` needs no backtracking.
class PatternTree {
 public:
  /// The active nodes of a walk, sorted. Empty: no pattern can match here or below.
  using States = std::vector<std::uint32_t>;

  [[nodiscard]] Status add(std::string_view pattern);
  [[nodiscard]] bool has_patterns() const { return has_patterns_; }

  /// The active nodes at the root of a value, and those after a step from `from` to a member with
  /// this key or to any item.
  [[nodiscard]] States start() const;
  void step_member(const States& from, std::string_view key, States& to) const;
  void step_item(const States& from, States& to) const;

  /// Whether a pattern ends at one of the nodes.
  [[nodiscard]] bool matches(const States& states) const;
  /// Whether a pattern goes on after one of the nodes and has no `**` up to it.
  [[nodiscard]] bool leads_through(const States& states) const;

 private:
  struct Node {
    std::map<std::string, std::uint32_t, std::less<>> members;  ///< the node after each name
    std::optional<std::uint32_t> any;                           ///< after `*`
    std::optional<std::uint32_t> deep;  ///< after `**`; entered together with this node
    bool is_deep = false;               ///< a `**` node: stays active at every step
    bool is_below_deep = false;         ///< a `**` is on the way to this node, or is this node
    bool is_end = false;                ///< a pattern ends here
  };

  /// The node after `node` and one more token of a pattern; created if it does not exist.
  std::uint32_t child_after(std::uint32_t node, const std::string& token);
  std::uint32_t new_node(bool below_deep);
  /// Adds the node to the active nodes, and the `**` node after it, because `**` may match nothing.
  void enter(std::uint32_t node, States& to) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
  bool has_patterns_ = false;
};

namespace {

// Sorts the states and removes duplicates.
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

}  // namespace detail
namespace {

// What happens to a value. Actions are recorded in document order; values inside one that is kept
// or dropped as a whole have no action.
enum class Action : std::uint8_t { drop, keep, descend };

// Projects one payload. Decides first and writes afterwards: whether a container is kept can depend
// on what is below it, and an unchanged payload is not written at all.
class Projector {
 public:
  Projector(json::View payload, const CompiledProjection& projection)
      : payload_(payload), keep_(projection.keep()), drop_(projection.drop()) {
    places_.push_back({keep_.start(), drop_.start()});
    decide(payload_, 0, !keep_.has_patterns());
  }

  json::Value result() {
    if (actions_.front() == Action::keep) return json::Value(payload_);
    json::Writer writer;
    next_ = 1;
    write(payload_, writer);
    return std::move(writer).finish_value();
  }

 private:
  // The active nodes of both pattern trees at one depth.
  struct Place {
    detail::PatternTree::States keep;
    detail::PatternTree::States drop;
  };

  // Decides and records the actions for `value` and the values inside it; returns that for `value`,
  // whose place is places_[depth]. `kept`: a keep pattern matched a container around `value`, or
  // there is no keep pattern.
  Action decide(json::View value, std::size_t depth, bool kept) {
    const Place& here = places_[depth];
    if (drop_.matches(here.drop)) return record(Action::drop);
    kept = kept || keep_.matches(here.keep);
    if (kept && here.drop.empty()) return record(Action::keep);
    if (!kept && here.keep.empty()) return record(Action::drop);
    const bool stays = kept || depth == 0;  // even if it becomes empty
    if (!value.is_container()) return record(stays ? Action::keep : Action::drop);

    const std::size_t index = actions_.size();
    record(Action::descend);
    const Below below = decide_children(value, depth, kept);
    if (!below.all_dropped && !below.all_kept) return Action::descend;
    // A container on the way of a keep pattern stays, even if it becomes empty. A pattern with `**`
    // does not count here: it leads through every container.
    if (below.all_dropped && !stays && !keep_.leads_through(here.keep)) {
      actions_.resize(index);
      return record(Action::drop);
    }
    if (!below.all_kept) return Action::descend;
    actions_.resize(index);
    return record(Action::keep);
  }

  // What was decided for the children of a container; without children, both are true.
  struct Below {
    bool all_dropped = true;
    bool all_kept = true;
  };

  Below decide_children(json::View container, std::size_t depth, bool kept) {
    if (places_.size() == depth + 1) places_.emplace_back();
    const Place& here = places_[depth];
    Place& child = places_[depth + 1];
    Below below;
    const auto add_child = [&](Action action) {
      below.all_dropped = below.all_dropped && action == Action::drop;
      below.all_kept = below.all_kept && action == Action::keep;
    };
    if (container.is_array()) {
      keep_.step_item(here.keep, child.keep);
      drop_.step_item(here.drop, child.drop);
      for (const json::View item : container.items()) add_child(decide(item, depth + 1, kept));
      return below;
    }
    std::string decoded;
    for (const json::Member& member : container.members()) {
      std::string_view key = member.key.string_source();
      if (member.key.has_escapes()) key = decoded = member.key.string();
      keep_.step_member(here.keep, key, child.keep);
      drop_.step_member(here.drop, key, child.drop);
      add_child(decide(member.value, depth + 1, kept));
    }
    return below;
  }

  Action record(Action action) {
    actions_.push_back(action);
    return action;
  }

  void write(json::View container, json::Writer& writer) {
    if (container.is_array()) {
      writer.begin_array();
      for (const json::View item : container.items()) write_child(item, nullptr, writer);
      writer.end_array();
      return;
    }
    writer.begin_object();
    for (const json::Member& member : container.members()) {
      write_child(member.value, &member.key, writer);
    }
    writer.end_object();
  }

  void write_child(json::View value, const json::View* key, json::Writer& writer) {
    const Action action = actions_[next_++];
    if (action == Action::drop) return;
    if (key != nullptr) writer.key(*key);
    action == Action::keep ? void(writer.value(value)) : write(value, writer);
  }

  json::View payload_;
  const detail::PatternTree& keep_;
  const detail::PatternTree& drop_;
  std::deque<Place> places_;  // references stay valid while it grows
  std::vector<Action> actions_;
  std::size_t next_ = 0;  // the action of the next value to write
};

// Names the list ("keep" or "drop") and the pattern in the error.
Error pattern_error(Error error, std::string_view list, std::string_view pattern) {
  error.where = fmt::format("{} pattern \"{}\"", list, pattern);
  return error;
}

Status add_all(detail::PatternTree& tree, const std::vector<std::string>& patterns,
               std::string_view list) {
  for (const std::string& pattern : patterns) {
    if (Status added = tree.add(pattern); !added) {
      return tl::unexpected(pattern_error(added.error(), list, pattern));
    }
  }
  return {};
}

}  // namespace

CompiledProjection::CompiledProjection(detail::PatternTree keep, detail::PatternTree drop)
    : keep_(std::make_shared<const detail::PatternTree>(std::move(keep))),
      drop_(std::make_shared<const detail::PatternTree>(std::move(drop))) {}

Result<CompiledProjection> CompiledProjection::compile(const Projection& projection) {
  detail::PatternTree keep;
  ENFOLD_TRY(add_all(keep, projection.keep, "keep"));
  for (const std::string& pattern : projection.drop) {
    detail::PatternTree alone;
    Status added = alone.add(pattern);
    if (added && alone.matches(alone.start())) {
      added = fail(ErrorCode::invalid_input,
                   "expected a pattern for a part of the payload, found one that matches all of it",
                   {}, "name what to drop, for example /items/*/url");
    }
    if (!added) return tl::unexpected(pattern_error(added.error(), "drop", pattern));
  }
  detail::PatternTree drop;
  ENFOLD_TRY(add_all(drop, projection.drop, "drop"));
  return CompiledProjection(std::move(keep), std::move(drop));
}

json::Value project(json::View payload, const CompiledProjection& projection) {
  return Projector(payload, projection).result();
}

Result<ProjectionSet> ProjectionSet::compile(const ProjectionConfig& config) {
  ProjectionSet set;
  for (const auto& [tool, projections] : config) {
    PerLevel& levels = set.tools_[tool];
    for (const Projection& projection : projections) {
      const std::string where =
          fmt::format("tool \"{}\", level {}", tool, model::name(projection.level));
      auto& slot = levels[static_cast<std::size_t>(projection.level)];
      if (slot) {
        return fail(ErrorCode::conflict, "expected one projection per tool and level, found two",
                    where, "put all patterns of a level into one projection");
      }
      Result<CompiledProjection> compiled = CompiledProjection::compile(projection);
      if (!compiled) {
        Error error = std::move(compiled.error());
        error.where = where + ", " + error.where;
        return tl::unexpected(std::move(error));
      }
      slot = std::move(*compiled);
    }
  }
  return set;
}

json::Value ProjectionSet::project(json::View payload, std::string_view tool, Level level) const {
  json::Value shown(payload);
  const auto found = tools_.find(tool);
  if (found == tools_.end()) return shown;
  for (std::size_t at = found->second.size(); at-- > static_cast<std::size_t>(level);) {
    if (found->second[at]) shown = level::project(shown.view(), *found->second[at]);
  }
  return shown;
}

}  // namespace enfold::level
