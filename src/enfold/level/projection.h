// SPDX-License-Identifier: Apache-2.0
// Levels for the payloads of upstream tools: JSON Pointer patterns say which parts a level shows. A
// level is projected from the next higher level, and `full` from the payload, so `minimal` is
// always a part of `standard`, and `standard` of `full`.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/model/response.h"

#include <functional>
#include <map>

namespace enfold::level {

namespace detail {
class PatternTree;
}  // namespace detail

using model::Level;

/// A pattern is a JSON Pointer in which the token `*` matches any member or item and `**` any
/// number of tokens, including none. Every other token is a member name. Array indexes are not
/// supported, because they change when an item is dropped.
struct Projection {
  Level level = Level::minimal;
  std::vector<std::string> keep;  ///< empty: everything
  std::vector<std::string> drop;  ///< removed from what is kept
};

class CompiledProjection {
 public:
  /// Refuses invalid JSON Pointers and drop patterns that match the whole payload.
  [[nodiscard]] static Result<CompiledProjection> compile(const Projection& projection);

  [[nodiscard]] const detail::PatternTree& keep() const { return *keep_; }
  [[nodiscard]] const detail::PatternTree& drop() const { return *drop_; }

 private:
  CompiledProjection(detail::PatternTree keep, detail::PatternTree drop);
  std::shared_ptr<const detail::PatternTree> keep_;
  std::shared_ptr<const detail::PatternTree> drop_;
};

/// Kept values are verbatim and in order. A container on the path of a keep pattern is kept even if
/// nothing inside it is, so lists of objects keep their length. A container that is reached through
/// a `**` of the pattern is kept only if something inside it is. The root is always kept.
/// Idempotent. If nothing is dropped, the result shares the payload's document.
[[nodiscard]] json::Value project(json::View payload, const CompiledProjection& projection);

/// The projections of each tool, by tool name.
using ProjectionConfig = std::map<std::string, std::vector<Projection>, std::less<>>;

/// The compiled projections of each tool.
class ProjectionSet {
 public:
  /// Refuses two projections of one tool and level, and what CompiledProjection::compile refuses.
  [[nodiscard]] static Result<ProjectionSet> compile(const ProjectionConfig& config);

  [[nodiscard]] bool has(std::string_view tool) const { return tools_.contains(tool); }

  /// The payload at a level; the whole payload for a tool without projections.
  [[nodiscard]] json::Value project(json::View payload, std::string_view tool, Level level) const;

 private:
  using PerLevel = std::array<std::optional<CompiledProjection>,
                              3>;  ///< by Level; nullopt: shows all that the next higher one shows
  std::map<std::string, PerLevel, std::less<>> tools_;
};

}  // namespace enfold::level
