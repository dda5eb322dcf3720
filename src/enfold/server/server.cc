// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/server.h"

#include "enfold/answer/answer.h"
#include "enfold/contract/errors/failures.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>

namespace enfold::server {
namespace {

constexpr std::size_t kLongestName = 128;  // of a tool

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "_-.") == std::string_view::npos;
}

// For errors in the program itself, which show when it is first started.
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

Resource Server::resource_template(ResourceSpec spec) {
  Result<mcp::UriTemplate> uri = mcp::UriTemplate::parse(spec.uri);
  if (!uri) give_up(uri.error().message, spec.uri);
  return Resource(templates_.emplace_back(Template{std::move(spec), std::move(*uri)}).spec);
}

PromptMessage user_text(std::string_view text) { return {"user", mcp::text_block(text)}; }

namespace detail {

void write_text_value(json::Writer& writer, std::string_view text, bool is_text) {
  if (!is_text) {
    if (const Result<json::Document> parsed = json::parse(std::string(text))) {
      writer.value(parsed->root());
      return;
    }
  }
  writer.string(text);
}

model::Response bad_texts(const std::vector<tools::Problem>& problems) {
  const tools::Problem& first = problems.front();
  const std::string field = first.place.empty() ? first.member : first.place.substr(1);
  return contract::make_failure(contract::failures::Validation{
      .message = fmt::format("{}: expected {}, found {}", field, first.expected, first.found),
      .field = field});
}

std::vector<tools::Problem> check_texts(const json::Value& texts, const json::Value& schema) {
  std::vector<tools::Problem> problems;
  const Result<schema::Schema> compiled = schema::Schema::compile(schema);
  if (!compiled) return problems;
  const Result<schema::Validation> checked = compiled->validate(texts.view());
  if (!checked || checked->valid) return problems;
  for (const schema::Violation& one : checked->violations) {
    problems.push_back(tools::problem_of(one));
  }
  return problems;
}

Complete complete_names(std::vector<std::string> names) {
  return [names = std::move(names)](const std::string& typed) {
    std::vector<std::string> out;
    for (const std::string& name : names) {
      if (name.starts_with(typed)) out.push_back(name);
    }
    return out;
  };
}

HandlerResult result_of(json::Value payload) {
  HandlerResult result(std::in_place_type<model::Response>);
  std::get_if<model::Response>(&result)->payload = std::move(payload);
  return result;
}

HandlerResult result_of(Trouble& trouble) {
  if (auto* needs = std::get_if<NeedsInput>(&trouble)) return std::move(*needs);
  if (const auto* error = std::get_if<Error>(&trouble)) {
    const bool internal =
        error->code == ErrorCode::internal || error->code == ErrorCode::protocol_violation;
    if (internal) return InternalError{fmt::format("{}: {}", error->where, error->message)};
    return answer::failure_of(*error);
  }
  model::Response& failed = *std::get_if<model::Response>(&trouble);
  // A model::Response is for failures; a success without declared fields is not allowed.
  if (!model::succeeded(failed)) return std::move(failed);
  return contract::make_failure(contract::failures::Internal{.message = "The tool failed"});
}

}  // namespace detail

}  // namespace enfold::server
