// SPDX-License-Identifier: Apache-2.0
// The only way out for the answer of a typed tool: process_tool_response decides the level, shows
// the declared fields at it, and runs the rest of the pipeline. Raw JSON does not compile here.
#pragma once

#include "enfold/answer/shape.h"
#include "enfold/level/decide.h"
#include "enfold/level/render.h"

#include <optional>
#include <vector>

namespace enfold::answer {

struct ToolConfig {
  level::LevelConfig levels;
  Settings settings;
};

/// What the server knows beside the answer itself.
struct ToolContext {
  Call call;
  model::Tool tool;  ///< id, version, tier, capabilities
  std::string message;
  bool partial = false;
  std::vector<model::Warning> warnings;
  std::vector<model::UpgradeHint> upgrade_hints;
  std::optional<model::Page> page;
  std::optional<model::RateLimit> rate_limit;
};

/// A finished answer in both forms that a server needs.
struct ToolAnswer {
  Understood answer;
  json::Output result;  ///< the MCP result
};

namespace detail {

[[nodiscard]] Result<ToolAnswer> finish(const ToolConfig& config, model::Response response,
                                        level::LevelDecision decision, const ToolContext& context);

}  // namespace detail

template <class Response>
[[nodiscard]] Result<ToolAnswer> process_tool_response(const ToolConfig& config,
                                                       const level::LevelRequest& request,
                                                       const Response& response,
                                                       const ToolContext& context) {
  level::LevelDecision decision = level::determine_response_level(config.levels, request);
  model::Response shown;
  shown.payload = level::render(response, decision.level);
  return detail::finish(config, std::move(shown), std::move(decision), context);
}

/// A failure is an answer too; make one with the constructors of contract/failures.h.
[[nodiscard]] Result<ToolAnswer> process_tool_failure(const ToolConfig& config,
                                                      const level::LevelRequest& request,
                                                      const model::Response& failed,
                                                      const ToolContext& context);

}  // namespace enfold::answer
