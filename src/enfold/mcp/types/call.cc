// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/call.h"

#include "enfold/json/document.h"

#include <fmt/core.h>

namespace enfold::mcp {
namespace {

using Params = tl::expected<CallParams, RpcError>;

// The error for a member that is missing or of the wrong type.
tl::unexpected<RpcError> invalid(std::string_view member, std::string_view expected) {
  return tl::unexpected(
      invalid_params(fmt::format("Invalid params: expected {} as {}", expected, member)));
}

// Null if the member is absent; nullopt if it is not an object.
std::optional<json::Value> optional_object(json::View params, std::string_view key) {
  const auto found = params.find(key);
  if (!found || found->is_null()) return json::Value();
  if (!found->is_object()) return std::nullopt;
  return json::Value(*found);
}

Params read_list(json::View params) {
  const auto cursor = params.find("cursor");
  if (!cursor || cursor->is_null()) return ListRequest{};
  if (!cursor->is_string()) return invalid("cursor", "a string");
  return ListRequest{cursor->string()};
}

template <class Request>
Params read_name_and_arguments(json::View params) {
  auto name = json::string_member(params, "name");
  if (!name) return invalid("name", "a string");
  auto arguments = optional_object(params, "arguments");
  if (!arguments) return invalid("arguments", "an object");
  return Request{std::move(*name), std::move(*arguments)};
}

template <class Request>
Params read_uri(json::View params) {
  auto uri = json::string_member(params, "uri");
  if (!uri) return invalid("uri", "a string");
  return Request{std::move(*uri)};
}

Params read_task(json::View params) {
  auto id = json::string_member(params, "taskId");
  if (!id) return invalid("taskId", "a string");
  return TaskRequest{std::move(*id)};
}

Params read_completion(json::View params) {
  const auto reference = object_member(params, "ref");
  const auto argument = object_member(params, "argument");
  if (!reference) return invalid("ref", "an object");
  if (!argument) return invalid("argument", "an object");
  CompletionRequest out;
  const std::string type = json::string_member(*reference, "type").value_or("");
  if (type != "ref/prompt" && type != "ref/resource") {
    return invalid("ref.type", "ref/prompt or ref/resource");
  }
  out.target = type == "ref/prompt" ? CompletionRequest::Target::prompt
                                    : CompletionRequest::Target::resource;
  const std::string_view member = type == "ref/prompt" ? "name" : "uri";
  auto named = json::string_member(*reference, member);
  auto name = json::string_member(*argument, "name");
  auto value = json::string_member(*argument, "value");
  if (!named) return invalid(fmt::format("ref.{}", member), "a string");
  if (!name || !value) return invalid("argument.name and argument.value", "strings");
  out.reference = std::move(*named);
  out.argument = std::move(*name);
  out.value = std::move(*value);
  if (const auto context = object_member(params, "context")) {
    if (const auto arguments = object_member(*context, "arguments")) {
      out.context = json::Value(*arguments);
    }
  }
  return out;
}

Params read_params(Method method, json::View params) {
  if (info(method).is_paged) return read_list(params);
  switch (method) {
    case Method::tools_call: return read_name_and_arguments<ToolCall>(params);
    case Method::prompts_get: return read_name_and_arguments<PromptGet>(params);
    case Method::resources_read: return read_uri<ResourceRead>(params);
    case Method::resources_subscribe:
    case Method::resources_unsubscribe: return read_uri<ResourceSubscription>(params);
    case Method::complete: return read_completion(params);
    case Method::tasks_get:
    case Method::tasks_update:
    case Method::tasks_cancel:
    case Method::tasks_result: return read_task(params);
    default: return OtherRequest{};
  }
}

// The value in a document of its own.
json::Value copy_of(const json::Value& value) {
  if (value->is_null()) return {};
  const Result<json::Document> copy = json::parse(value->raw());
  return copy ? copy->value() : value;
}

}  // namespace

std::optional<RpcError> check_declared(json::View client_info, json::View capabilities) {
  const auto size_of = [](json::View view) { return view.is_null() ? 0 : view.raw().size(); };
  const std::size_t found = size_of(client_info) + size_of(capabilities);
  if (found <= kMaxDeclaredBytes) return std::nullopt;
  return invalid_params(
      fmt::format("Invalid params: expected at most {} bytes of client info and capabilities, "
                  "found {}",
                  kMaxDeclaredBytes, found));
}

std::shared_ptr<const Caller> without_message(const Caller& caller) {
  auto copy = std::make_shared<Caller>(caller);
  copy->client_info = copy_of(caller.client_info);
  copy->capabilities = Capabilities(copy_of(caller.capabilities.value()));
  return copy;
}

tl::expected<Call, RpcError> read_call(Request& request, CallKey key,
                                       std::shared_ptr<const Caller> caller) {
  const Method method = method_from_name(request.method);
  Params params = read_params(method, request.params.view());
  // The only object that is returned, so that it is constructed in place and never moved.
  tl::expected<Call, RpcError> call(tl::in_place);
  if (!params) {
    call = tl::unexpected(std::move(params.error()));
    return call;
  }
  call->key = key;
  call->id = std::move(request.id);
  call->method = method;
  call->method_name = std::move(request.method);
  call->params = std::move(*params);
  call->raw_params = std::move(request.params);
  call->caller = std::move(caller);
  if (const auto meta_object = object_member(call->raw_params.view(), "_meta")) {
    call->progress_token = id_member(*meta_object, meta::progress_token);
  }
  return call;
}

}  // namespace enfold::mcp
