// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/tool.h"

#include "enfold/contract/errors/failures.h"

#include <fmt/core.h>

namespace enfold::server {
Tool& Tool::title(std::string text) {
  spec_->title = std::move(text);
  return *this;
}

Tool& Tool::input_schema(json::Value schema) {
  spec_->input_schema = std::move(schema);
  return *this;
}

Tool& Tool::slow(std::chrono::milliseconds deadline) {
  spec_->deadline = deadline;
  return *this;
}

Tool& Tool::rate_limit(store::RateLimit limit) {
  spec_->rate_limit = limit;
  return *this;
}

Tool& Tool::behind_flag(std::string flag) {
  spec_->flag = std::move(flag);
  return *this;
}

Tool& Tool::needs_tier(model::Tier tier) {
  spec_->tier = tier;
  return *this;
}

Tool& Tool::version(std::string text) {
  spec_->version = std::move(text);
  return *this;
}

Tool& Tool::capability(std::string text) {
  spec_->capabilities.push_back(std::move(text));
  return *this;
}

Tool& Tool::policy(budget::Policy policy) {
  spec_->policy = std::move(policy);
  return *this;
}

Tool& Tool::annotate(std::string_view hint, bool value) {
  spec_->annotations.emplace_back(hint, value);
  return *this;
}

namespace detail {

HandlerResult result_of(Trouble& trouble) {
  if (auto* needs = std::get_if<NeedsInput>(&trouble)) return std::move(*needs);
  if (const auto* error = std::get_if<Error>(&trouble)) {
    const bool internal =
        error->code == ErrorCode::internal || error->code == ErrorCode::protocol_violation;
    if (internal) return InternalError{fmt::format("{}: {}", error->where, error->message)};
    return failure_of(*error);
  }
  model::Response& failed = *std::get_if<model::Response>(&trouble);
  // A response that says of itself that it succeeded would be raw JSON by another way.
  if (!model::succeeded(failed)) return std::move(failed);
  return contract::make_failure(contract::failures::Internal{.message = "The tool failed"});
}

}  // namespace detail
}  // namespace enfold::server
