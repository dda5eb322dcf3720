// SPDX-License-Identifier: Apache-2.0
// Which level an answer is shown at: what the call asks for, else what is configured for the tool,
// else what is configured for all, else `minimal`. The nearest to the call wins.
#pragma once

#include "enfold/json/document.h"
#include "enfold/model/response.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::level {

using model::Level;

inline constexpr std::string_view kLevelArgument = "response_level";
inline constexpr std::string_view kRichArgument = "rich_response";
inline constexpr std::string_view kMinimalArgument = "minimal_response";  ///< deprecated
inline constexpr std::string_view kLevelMeta = "dev.enfold/level";
inline constexpr Level kBuiltInLevel = Level::minimal;

struct LevelConfig {
  std::optional<Level> default_level;
  std::map<std::string, Level, std::less<>> per_tool;
};

struct LevelRequest {
  std::string tool;
  std::optional<json::Value> arguments;  ///< of the call
  std::optional<json::Value> meta;       ///< `_meta` of the call
};

struct LevelDecision {
  Level level = kBuiltInLevel;
  std::string rule;  ///< which rule decided, in words
  std::vector<model::Warning> warnings;
};

/// Never fails: a request that names no level is reported (INVALID_LEVEL) and passed over.
/// A member that is null counts as absent.
[[nodiscard]] LevelDecision determine_response_level(const LevelConfig& config,
                                                     const LevelRequest& request);
/// The same for borrowed parts; null: there are none.
[[nodiscard]] LevelDecision determine_response_level(const LevelConfig& config,
                                                     std::string_view tool, json::View arguments,
                                                     json::View meta);

}  // namespace enfold::level
