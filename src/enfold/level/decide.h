// SPDX-License-Identifier: Apache-2.0
// Chooses the level of an answer: from the call (its arguments, then its `_meta`), else from the
// tool's configuration, else from the default of the configuration, else `minimal`.
#pragma once

#include "enfold/json/document.h"
#include "enfold/model/response.h"

#include <functional>
#include <map>

namespace enfold::level {

using model::Level;

// Arguments of a call, and the key in its `_meta`, that choose the level, in order of precedence.
// kRichArgument chooses `full` if it is true, kMinimalArgument `minimal`; false chooses nothing.
inline constexpr std::string_view kLevelArgument = "response_level";
inline constexpr std::string_view kRichArgument = "rich_response";
inline constexpr std::string_view kMinimalArgument = "minimal_response";  ///< deprecated
inline constexpr std::string_view kLevelMeta = "dev.enfold/level";
inline constexpr Level kBuiltInLevel = Level::minimal;

struct LevelConfig {
  std::optional<Level> default_level;                  ///< nullopt: kBuiltInLevel
  std::map<std::string, Level, std::less<>> per_tool;  ///< by tool name
};

struct LevelRequest {
  std::string tool;
  std::optional<json::Value> arguments;  ///< of the call; nullopt: it has none
  std::optional<json::Value> meta;       ///< `_meta` of the call; nullopt: it has none
};

struct LevelDecision {
  Level level = kBuiltInLevel;
  std::string rule;  ///< what decided, in words: "argument response_level of the call"
  std::vector<model::Warning> warnings;
};

/// Never fails: an invalid level in the call causes the warning INVALID_LEVEL and is ignored.
/// kMinimalArgument always causes the warning DEPRECATED_FIELD. A null member counts as absent.
[[nodiscard]] LevelDecision determine_response_level(const LevelConfig& config,
                                                     const LevelRequest& request);
/// The same for views of the arguments and `_meta` of the call; a null view if the call has none.
[[nodiscard]] LevelDecision determine_response_level(const LevelConfig& config,
                                                     std::string_view tool, json::View arguments,
                                                     json::View meta);

}  // namespace enfold::level
