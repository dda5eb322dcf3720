// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/types/input.h"

#include "enfold/json/document.h"

#include <fmt/core.h>

namespace enfold::mcp {
namespace {

template <class Fill>
json::Value object(Fill fill) {
  json::Writer writer;
  writer.begin_object();
  fill(writer);
  writer.end_object();
  return std::move(writer).finish_value();
}

json::Value elicitation_needed(std::string_view mode) {
  return object([&](json::Writer& writer) {
    writer.key("elicitation").begin_object();
    if (mode == "url") writer.key("url").begin_object().end_object();
    writer.end_object();
  });
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
  const auto requests = result.find("inputRequests");
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

void write_input_required(json::Writer& writer, const InputRequired& required) {
  writer.member("resultType", "input_required");
  if (!required.requests.empty()) {
    writer.key("inputRequests").begin_object();
    for (const InputRequest& request : required.requests) {
      writer.key(request.key).begin_object().member("method", request.method);
      if (!request.params->is_null()) writer.member("params", request.params);
      writer.end_object();
    }
    writer.end_object();
  }
  if (required.state) writer.member("requestState", *required.state);
}

json::Value missing_for(const InputRequest& request, const Capabilities& client) {
  switch (method_from_name(request.method)) {
    case Method::sampling:
      if (client.has("sampling")) return {};
      return json::parse_own(R"({"sampling":{}})");
    case Method::roots:
      if (client.has("roots")) return {};
      return json::parse_own(R"({"roots":{}})");
    case Method::elicitation: {
      // An empty capability means the form mode, the only one there was at first.
      const std::string mode = json::string_member(request.params.view(), "mode").value_or("form");
      const bool form_only_implied = !client.has("elicitation", "url");
      const bool has = mode == "url" ? client.has("elicitation", "url")
                                     : client.has("elicitation", "form") ||
                                           (client.has("elicitation") && form_only_implied);
      return has ? json::Value() : elicitation_needed(mode);
    }
    default: return {};
  }
}

InputRequest ask_form(std::string key, std::string_view message, json::View schema) {
  return {std::move(key), std::string(name(Method::elicitation)), object([&](json::Writer& writer) {
            writer.member("mode", "form").member("message", message);
            writer.member("requestedSchema", schema);
          })};
}

InputRequest ask_url(std::string key, std::string_view message, std::string_view url,
                     std::string_view elicitation_id) {
  return {std::move(key), std::string(name(Method::elicitation)), object([&](json::Writer& writer) {
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

std::optional<Elicited> read_elicited(json::View result) {
  const std::string action = json::string_member(result, "action").value_or("");
  Elicited out;
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

json::Value with_defaults(json::View requested_schema, json::View content) {
  return object([&](json::Writer& writer) {
    if (content.is_object()) {
      for (const json::Member& member : content.members()) {
        writer.key(member.key).value(member.value);
      }
    }
    const auto properties = object_member(requested_schema, "properties");
    if (!properties) return;
    for (const json::Member& member : properties->members()) {
      const auto value = member.value.find("default");
      if (value && !content.find(member.key.string())) writer.key(member.key).value(*value);
    }
  });
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

json::Value write_roots(const std::vector<Root>& roots) {
  return object([&](json::Writer& writer) {
    writer.key("roots").begin_array();
    for (const Root& root : roots) {
      writer.begin_object().member("uri", root.uri);
      if (root.name) writer.member("name", *root.name);
      writer.end_object();
    }
    writer.end_array();
  });
}

}  // namespace enfold::mcp
