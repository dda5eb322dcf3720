// SPDX-License-Identifier: Apache-2.0
// The only way out for the answer of a typed tool: process_tool_response shows the declared fields
// at the level that settings and request decided (level::determine_response_level), and shapes the
// result as every other answer. Raw JSON does not compile here.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/level/render.h"

#include <utility>
#include <variant>

namespace enfold::answer {

/// What process_tool_response must know of the request: how detailed the answer is wanted, and how
/// long the tool took.
struct ToolRequest {
  model::Level level = level::kBuiltInLevel;
  Duration duration{0};
};

template <class Response>
[[nodiscard]] BeginResult process_tool_response(const AnswerPlan& config,
                                                const ToolRequest& request,
                                                const Response& response, ToolContext context) {
  model::Response shown;
  shown.payload = level::render(response, request.level);
  return begin(std::move(shown), std::move(context), config, request.duration);
}

/// A response of one of several types.
template <class... All>
[[nodiscard]] BeginResult process_tool_response(const AnswerPlan& config,
                                                const ToolRequest& request,
                                                const std::variant<All...>& response,
                                                ToolContext context) {
  return std::visit(
      [&](const auto& one) {
        return process_tool_response(config, request, one, std::move(context));
      },
      response);
}

/// A failure is an answer too; make one with the constructors of contract/errors/failures.h.
[[nodiscard]] inline BeginResult process_tool_failure(const AnswerPlan& config,
                                                      const ToolRequest& request,
                                                      model::Response failed, ToolContext context) {
  return begin(std::move(failed), std::move(context), config, request.duration);
}

}  // namespace enfold::answer
