// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/typed.h"

namespace enfold::answer {
namespace detail {

Result<ToolAnswer> finish(const ToolConfig& config, model::Response response,
                          level::LevelDecision decision, const ToolContext& context) {
  response.level = decision.level;
  response.tool = context.tool;
  response.message = context.message;
  if (succeeded(response) && context.partial) response.outcome = model::Outcome::partial;
  for (const model::Warning& warning : decision.warnings) response.warnings.push_back(warning);
  for (const model::Warning& warning : context.warnings) response.warnings.push_back(warning);
  response.upgrade_hints = context.upgrade_hints;
  if (context.page) response.page = context.page;
  if (context.rate_limit) response.rate_limit = context.rate_limit;

  Result<Understood> understood = understand_response(
      std::move(response), "the tool's own code decided", config.settings, context.call);
  if (!understood) return tl::unexpected(understood.error());
  Result<json::Output> result = write_result(*understood, config.settings);
  if (!result) return tl::unexpected(result.error());
  return ToolAnswer{std::move(*understood), std::move(*result)};
}

}  // namespace detail

Result<ToolAnswer> process_tool_failure(const ToolConfig& config,
                                        const level::LevelRequest& request,
                                        const model::Response& failed, const ToolContext& context) {
  return detail::finish(config, failed, level::determine_response_level(config.levels, request),
                        context);
}

}  // namespace enfold::answer
