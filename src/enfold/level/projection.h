// SPDX-License-Identifier: Apache-2.0
// Levels for the answers of tools that we did not write: which parts of a payload a level shows,
// as JSON Pointer patterns. A level is cut from the result of the next higher one, so whatever the
// patterns say, `minimal` is part of `standard` and `standard` is part of `full`.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/level/pattern_tree.h"
#include "enfold/model/names.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::level {

using model::Level;

/// A pattern is a JSON Pointer in which the token `*` stands for any member or item and `**` for
/// any number of tokens, none included. Every other token names a member; items of arrays have no
/// names, because a position means something else once an item before it is gone.
struct Projection {
  Level level = Level::minimal;
  std::vector<std::string> keep;  ///< empty: everything
  std::vector<std::string> drop;  ///< taken out of what is kept
};

class CompiledProjection {
 public:
  /// Refuses what is no JSON Pointer, and a drop pattern that would drop the whole payload.
  [[nodiscard]] static Result<CompiledProjection> compile(const Projection& projection);

  [[nodiscard]] const detail::PatternTree& keep() const { return keep_; }
  [[nodiscard]] const detail::PatternTree& drop() const { return drop_; }

 private:
  detail::PatternTree keep_;
  detail::PatternTree drop_;
};

/// Kept values stay verbatim and in order. A container on the way to what a pattern names stays
/// even when nothing below it is kept, so lists keep their length; one that only `**` passes
/// through stays when something below it does. The root always stays. Applying it twice is
/// applying it once. When nothing is taken away the result shares the payload's document.
[[nodiscard]] json::Value project(json::View payload, const CompiledProjection& projection);

/// By tool name.
using ProjectionConfig = std::map<std::string, std::vector<Projection>, std::less<>>;

class ProjectionSet {
 public:
  /// At most one projection per tool and level.
  [[nodiscard]] static Result<ProjectionSet> compile(const ProjectionConfig& config);

  [[nodiscard]] bool has(std::string_view tool) const { return tools_.contains(tool); }

  /// The payload at a level; the whole payload for a tool without projections.
  [[nodiscard]] json::Value project(json::View payload, std::string_view tool, Level level) const;

 private:
  using PerLevel = std::array<std::optional<CompiledProjection>, 3>;
  std::map<std::string, PerLevel, std::less<>> tools_;
};

}  // namespace enfold::level
