// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/server.h"

#include "enfold/contract/errors/failures.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>

namespace enfold::server {
namespace {

constexpr std::size_t kLongestName = 128;

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "_-.") == std::string_view::npos;
}

// What is wrong with the program itself is known at its first start.
[[noreturn]] void give_up(std::string_view what, std::string_view name) {
  std::fprintf(stderr, "error: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(name.size()), name.data());
  std::abort();
}

}  // namespace

Server::Server(std::string name, std::string version, Settings settings)
    : name_(std::move(name)), version_(std::move(version)), settings_(std::move(settings)) {}

Tool Server::add(ToolSpec spec) {
  if (!is_tool_name(spec.name)) {
    give_up("expected a tool name of 1 to 128 letters, digits, _, - and .", spec.name);
  }
  const bool taken = std::any_of(tools_.begin(), tools_.end(),
                                 [&](const ToolSpec& tool) { return tool.name == spec.name; });
  if (taken) give_up("expected tools with different names, found two of one", spec.name);
  return Tool(tools_.emplace_back(std::move(spec)));
}

void Server::resource_template(ResourceSpec spec) {
  Result<mcp::UriTemplate> uri = mcp::UriTemplate::parse(spec.uri);
  if (!uri) give_up(uri.error().message, spec.uri);
  templates_.push_back({std::move(spec), std::move(*uri)});
}

PromptMessage user_text(std::string_view text) { return {"user", mcp::text_block(text)}; }

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
