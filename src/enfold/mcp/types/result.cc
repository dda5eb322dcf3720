// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/result.h"

#include "enfold/json/document.h"
#include "enfold/model/content.h"

#include <fmt/core.h>

namespace enfold::mcp {
namespace {

// The capability that an elicitation in this mode needs.
json::Value elicitation_needed(std::string_view mode) {
  return make_object([&](json::Writer& writer) {
    writer.key("elicitation").begin_object();
    if (mode == "url") writer.key("url").begin_object().end_object();
    writer.end_object();
  });
}

constexpr std::size_t kMaxCompletions = 100;  // set by the protocol

void write_structured(json::Writer& writer, const json::Value& structured, Era era) {
  writer.key("structuredContent");
  if (era == Era::stateless || structured->is_object()) {
    writer.value(structured);
  } else {
    writer.begin_object().member("result", structured).end_object();
  }
}

}  // namespace

const json::Value* InputResponses::find(std::string_view key) const {
  for (const InputResponse& response : responses) {
    if (response.key == key) return &response.result;
  }
  return nullptr;
}

InputResponses read_input_responses(json::View params) {
  InputResponses out;
  out.state = json::string_member(params, "requestState");
  if (const auto found = object_member(params, "inputResponses")) {
    for (const json::Member& member : found->members()) {
      if (!member.value.is_object()) continue;
      out.responses.push_back({member.key.string(), json::Value(member.value)});
    }
  }
  return out;
}

void write_input_responses(json::Writer& writer, const InputResponses& inputs) {
  if (!inputs.responses.empty()) {
    writer.key("inputResponses").begin_object();
    for (const InputResponse& response : inputs.responses) {
      writer.member(response.key, response.result);
    }
    writer.end_object();
  }
  if (inputs.state) writer.member("requestState", *inputs.state);
}

Result<InputRequired> read_input_required(json::View result) {
  InputRequired out;
  out.original = json::Value(result);
  out.state = json::string_member(result, "requestState");
  const auto requests = object_member(result, "inputRequests");
  if (requests) {
    for (const json::Member& member : requests->members()) {
      auto method = json::string_member(member.value, "method");
      if (!method) {
        return fail(ErrorCode::protocol_violation,
                    fmt::format("expected a request with a method as input request {}, found {}",
                                member.key.raw(), json::name(member.value.kind())),
                    "/inputRequests");
      }
      const auto params = object_member(member.value, "params");
      out.requests.push_back(
          {member.key.string(), std::move(*method), params ? json::Value(*params) : json::Value()});
    }
  }
  if (!requests && !out.state) {
    return fail(ErrorCode::protocol_violation,
                "expected inputRequests or requestState in a result that requires input, found "
                "neither",
                "/result");
  }
  return out;
}

void write_input_requests(json::Writer& writer, const std::vector<InputRequest>& requests) {
  writer.key("inputRequests").begin_object();
  for (const InputRequest& request : requests) {
    writer.key(request.key).begin_object().member("method", request.method);
    if (!request.params->is_null()) writer.member("params", request.params);
    writer.end_object();
  }
  writer.end_object();
}

void write_input_required(json::Writer& writer, const InputRequired& required) {
  writer.member("resultType", "input_required");
  if (!required.requests.empty()) write_input_requests(writer, required.requests);
  if (required.state) writer.member("requestState", *required.state);
}

json::Value missing_capabilities(const InputRequest& request, const Capabilities& client) {
  switch (method_from_name(request.method)) {
    case Method::sampling:
      if (client.has("sampling")) return {};
      return json::parse_own(R"({"sampling":{}})");
    case Method::roots:
      if (client.has("roots")) return {};
      return json::parse_own(R"({"roots":{}})");
    case Method::elicitation: {
      // An empty elicitation capability means the form mode, the only mode of early revisions.
      const std::string mode = json::string_member(request.params.view(), "mode").value_or("form");
      const bool has_url = client.has("elicitation", "url");
      const bool has_form =
          client.has("elicitation", "form") || (client.has("elicitation") && !has_url);
      const bool has = mode == "url" ? has_url : has_form;
      return has ? json::Value() : elicitation_needed(mode);
    }
    default: return {};
  }
}

std::optional<RpcError> reason_not_to_ask(const InputRequired& required,
                                          const Capabilities& client) {
  for (const InputRequest& request : required.requests) {
    json::Value missing = missing_capabilities(request, client);
    if (missing->is_null()) continue;
    return missing_capability(
        fmt::format("Cannot ask for {} ({}): the request does not declare the capability",
                    json::quote(request.key), request.method),
        std::move(missing));
  }
  return std::nullopt;
}

InputRequest ask_form(std::string key, std::string_view message, json::View schema) {
  return {std::move(key), std::string(name(Method::elicitation)),
          make_object([&](json::Writer& writer) {
            writer.member("mode", "form").member("message", message);
            writer.member("requestedSchema", schema);
          })};
}

InputRequest ask_url(std::string key, std::string_view message, std::string_view url,
                     std::string_view elicitation_id) {
  return {std::move(key), std::string(name(Method::elicitation)),
          make_object([&](json::Writer& writer) {
            writer.member("mode", "url").member("message", message).member("url", url);
            writer.member("elicitationId", elicitation_id);
          })};
}

InputRequest ask_roots(std::string key) {
  return {std::move(key), std::string(name(Method::roots)), {}};
}

InputRequest ask_sampling(std::string key, json::Value params) {
  return {std::move(key), std::string(name(Method::sampling)), std::move(params)};
}

std::optional<ElicitResult> read_elicit_result(json::View result) {
  const std::string action = json::string_member(result, "action").value_or("");
  ElicitResult out;
  if (action == "accept") {
    out.action = ElicitAction::accept;
    if (const auto content = object_member(result, "content")) out.content = json::Value(*content);
  } else if (action == "decline") {
    out.action = ElicitAction::decline;
  } else if (action != "cancel") {
    return std::nullopt;
  }
  return out;
}

std::vector<Root> read_roots(json::View result) {
  std::vector<Root> out;
  const auto roots = result.find("roots");
  if (!roots) return out;
  for (const json::View root : roots->items()) {
    if (auto uri = json::string_member(root, "uri")) {
      out.push_back({std::move(*uri), json::string_member(root, "name")});
    }
  }
  return out;
}

void write_cache_hint(json::Writer& writer, const CacheHint& hint) {
  writer.member("ttlMs", std::int64_t{hint.ttl.count()});
  writer.member("cacheScope", hint.scope == CacheHint::Scope::for_everyone ? "public" : "private");
}

Result<ToolResult> read_tool_result(json::View result) {
  ToolResult out;
  const auto content = result.find("content");
  if (!content || !content->is_array()) {
    return fail(ErrorCode::protocol_violation, "expected a tool result with content, an array",
                "/content", "tell the author of the server");
  }
  for (const json::View block : content->items()) out.content.emplace_back(block);
  if (const auto structured = result.find("structuredContent")) {
    out.structured = json::Value(*structured);
  }
  out.is_error = model::is_failed_result(result);
  if (const auto meta = object_member(result, "_meta")) out.meta = json::Value(*meta);
  return out;
}

json::Value text_block(std::string_view text) {
  json::Writer writer;
  writer.begin_object().member("type", "text").member("text", text).end_object();
  return std::move(writer).finish_value();
}

ToolResult text_result(std::string_view text, bool is_error) {
  ToolResult result;
  result.content.push_back(text_block(text));
  result.is_error = is_error;
  return result;
}

CompleteResult complete(const ToolResult& result, Era era) {
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  for (const json::Value& block : result.content) writer.value(block);
  writer.end_array();
  if (result.structured) write_structured(writer, *result.structured, era);
  if (result.is_error) writer.member("isError", true);
  if (!result.meta) {
    writer.end_object();
    return {std::move(writer).finish(), std::nullopt};
  }
  writer.member("_meta", *result.meta).end_object();
  return {std::move(writer).finish_value(), std::nullopt};
}

CompleteResult empty_result() {
  json::Writer writer;
  writer.begin_object().end_object();
  return {std::move(writer).finish(), std::nullopt};
}

CompleteResult complete(const CompletionValues& values) {
  json::Writer writer;
  writer.begin_object().key("completion").begin_object().key("values").begin_array();
  const std::size_t count = std::min(values.values.size(), kMaxCompletions);
  for (std::size_t i = 0; i < count; ++i) writer.string(values.values[i]);
  writer.end_array();
  if (values.total) writer.member("total", *values.total);
  writer.member("hasMore", values.has_more || values.values.size() > count);
  writer.end_object().end_object();
  return {std::move(writer).finish(), std::nullopt};
}

}  // namespace enfold::mcp
