// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/message.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

// Most messages are not longer.
constexpr std::size_t kUsualMessageBytes = 640;

using Kind = BadMessage::Kind;

// The kind decides whether an error response is sent: never to a bad response.
tl::unexpected<BadMessage> bad(std::string message, std::optional<Id> id = std::nullopt,
                               Kind kind = Kind::request) {
  return tl::unexpected(BadMessage{invalid_request(std::move(message)), std::move(id), kind});
}

tl::expected<Message, BadMessage> read_response(json::View message, std::optional<Id> id) {
  const auto result = message.find("result");
  const auto error = message.find("error");
  if (!result && !error) {
    return bad("Expected method, result or error, found none of them", std::move(id), Kind::either);
  }
  if (result && error) {
    return bad("Expected result or error, found both", std::move(id), Kind::response);
  }
  const json::View value = result ? *result : *error;
  if (!value.is_object()) {
    return bad(fmt::format("Expected an object as {}, found {}", result ? "result" : "error",
                           json::name(value.kind())),
               std::move(id), Kind::response);
  }
  // An error may have no id: the peer could not read the id of the request.
  if (error) return Response{std::move(id), tl::unexpected(read_error(*error))};
  if (!id) return bad("Expected the id of a request beside result, found none", {}, Kind::response);
  return Response{std::move(id), json::Value(*result)};
}

tl::expected<Message, BadMessage> read_message(json::View message) {
  if (!message.is_object()) {
    return bad(fmt::format("Expected a JSON-RPC message, found {}", json::name(message.kind())));
  }
  std::optional<Id> id = id_member(message, "id");
  const auto version = message.find("jsonrpc");
  if (!version || !version->equals("2.0")) {
    return bad("Expected \"jsonrpc\": \"2.0\"", std::move(id));
  }
  const auto method = message.find("method");
  if (!method) return read_response(message, std::move(id));
  if (!method->is_string()) return bad("Expected a string as method", std::move(id));
  if (!id && message.find("id")) return bad("Expected a string or an integer as id");
  json::Value params;
  if (const auto found = message.find("params")) {
    if (!found->is_object()) {
      return bad(fmt::format("Expected an object as params, found {}", json::name(found->kind())),
                 std::move(id));
    }
    params = json::Value(*found);
  }
  if (!id) return Notification{method->string(), std::move(params)};
  return Request{std::move(*id), method->string(), std::move(params)};
}

/// `id` null: no such member.
template <class Body>
json::Output write_message(const Id* id, Body body) {
  json::Writer writer;
  writer.reserve(kUsualMessageBytes);
  writer.begin_object().member("jsonrpc", "2.0");
  if (id != nullptr) {
    writer.key("id");
    write_id(writer, *id);
  }
  body(writer);
  writer.end_object();
  return std::move(writer).finish();
}

json::Output write_request_or_notification(const Id* id, std::string_view method,
                                           json::View params) {
  return write_message(id, [&](json::Writer& writer) {
    writer.member("method", method);
    if (!params.is_null()) writer.member("params", params);
  });
}

json::Output write_request_or_notification(const Id* id, std::string_view method,
                                           const WriteMembers& params) {
  return write_message(id, [&](json::Writer& writer) {
    writer.member("method", method).key("params").begin_object();
    params(writer);
    writer.end_object();
  });
}

}  // namespace

std::optional<Id> read_id(json::View value) {
  if (value.is_string()) return Id(value.string());
  if (const auto integer = value.integer()) return Id(*integer);
  return std::nullopt;
}

void write_id(json::Writer& writer, const Id& id) {
  if (const auto* integer = std::get_if<std::int64_t>(&id)) {
    writer.integer(*integer);
  } else {
    writer.string(std::get<std::string>(id));
  }
}

std::string text_of(const Id& id) {
  if (const auto* integer = std::get_if<std::int64_t>(&id)) return std::to_string(*integer);
  return json::quote(std::get<std::string>(id));
}

int http_status(std::int64_t error_code) {
  switch (error_code) {
    case code::parse_error:
    case code::invalid_request:
    case code::bad_request:
    case code::header_mismatch:
    case code::missing_capability:
    case code::unsupported_version: return 400;
    case code::method_not_found:
    case code::session_not_found: return 404;
    default: return 200;
  }
}

RpcError for_stateless(RpcError error) {
  if (error.code == code::resource_not_found) error.code = code::invalid_params;
  if (error.code == code::url_elicitation) error.code = code::internal_error;
  return error;
}

RpcError to_rpc_error(const Error& error) {
  RpcError out{mapping(error.code).json_rpc, error.message, std::nullopt};
  if (!error.where.empty() || !error.hint.empty()) {
    out.data = make_object([&](json::Writer& writer) {
      if (!error.where.empty()) writer.member("where", error.where);
      if (!error.hint.empty()) writer.member("hint", error.hint);
    });
  }
  return out;
}

RpcError method_not_found(std::string_view method) {
  return {code::method_not_found, fmt::format("Method not found: {}", method), std::nullopt};
}

RpcError invalid_params(std::string message) {
  return {code::invalid_params, std::move(message), std::nullopt};
}

RpcError invalid_request(std::string message) {
  return {code::invalid_request, std::move(message), std::nullopt};
}

RpcError internal_error(std::string message) {
  return {code::internal_error, std::move(message), std::nullopt};
}

RpcError id_in_use(const Id& id) {
  return invalid_request(fmt::format("Expected an id that is not in use, found {}", text_of(id)));
}

RpcError too_many_requests(std::size_t limit) {
  return internal_error(fmt::format("Too many open requests: at most {}", limit));
}

RpcError unsupported_version(std::string_view requested, std::span<const std::string> supported) {
  return {code::unsupported_version, fmt::format("Unsupported protocol version: {}", requested),
          make_object([&](json::Writer& writer) {
            writer.key("supported").begin_array();
            for (const std::string& version : supported) writer.string(version);
            writer.end_array().member("requested", requested);
          })};
}

RpcError missing_capability(std::string message, json::Value needed) {
  return {code::missing_capability, std::move(message), make_object([&](json::Writer& writer) {
            writer.member("requiredCapabilities", needed);
          })};
}

RpcError header_mismatch(std::string_view header, std::string message) {
  return {code::header_mismatch, std::move(message),
          make_object([&](json::Writer& writer) { writer.member("header", header); })};
}

RpcError resource_not_found(Era era, std::string_view uri) {
  return {era == Era::sessions ? code::resource_not_found : code::invalid_params,
          fmt::format("Resource not found: {}", uri),
          make_object([&](json::Writer& writer) { writer.member("uri", uri); })};
}

RpcError read_error(json::View error) {
  RpcError out;
  if (const auto found = error.find("code")) {
    if (const auto number = found->integer()) out.code = *number;
  }
  if (const auto found = error.find("message")) out.message = found->string();
  if (const auto found = error.find("data")) out.data = json::Value(*found);
  return out;
}

tl::expected<Messages, BadMessage> read_messages(json::Buffer bytes, const Limits& limits) {
  const Result<json::Document> document = json::parse(std::move(bytes), limits);
  if (!document) {
    const Error& error = document.error();
    return tl::unexpected(BadMessage{
        {code::parse_error, fmt::format("Parse error: {} at {}", error.message, error.where), {}},
        std::nullopt});
  }
  tl::expected<Messages, BadMessage> read(tl::in_place);
  Messages& out = *read;
  const json::View root = document->root();
  if (!root.is_array()) {
    auto message = read_message(root);
    if (!message) return tl::unexpected(std::move(message.error()));
    out.messages.push_back(std::move(*message));
    return read;
  }
  if (root.size() == 0) return bad("Expected at least one message in the batch, found none");
  out.batch = true;
  for (const json::View item : root.items()) {
    auto message = read_message(item);
    if (message) {
      out.messages.push_back(std::move(*message));
    } else {
      out.bad.push_back(std::move(message.error()));
    }
  }
  return read;
}

json::Output write_request(const Id& id, std::string_view method, json::View params) {
  return write_request_or_notification(&id, method, params);
}

json::Output write_request(const Id& id, std::string_view method, const WriteMembers& params) {
  return write_request_or_notification(&id, method, params);
}

json::Output write_notification(std::string_view method, json::View params) {
  return write_request_or_notification(nullptr, method, params);
}

json::Output write_notification(std::string_view method, const WriteMembers& params) {
  return write_request_or_notification(nullptr, method, params);
}

json::Output write_response(const Id& id, json::View result) {
  return write_message(&id, [&](json::Writer& writer) { writer.key("result").verbatim(result); });
}

json::Output write_response(const Id& id, const WriteMembers& result) {
  return write_message(&id, [&](json::Writer& writer) {
    writer.key("result").begin_object();
    result(writer);
    writer.end_object();
  });
}

json::Output write_response(const std::optional<Id>& id, const RpcError& error) {
  return write_message(id ? &*id : nullptr, [&](json::Writer& writer) {
    writer.key("error").begin_object();
    writer.member("code", error.code).member("message", error.message);
    if (error.data) writer.member("data", *error.data);
    writer.end_object();
  });
}

std::optional<Id> id_member(json::View object, std::string_view key) {
  const auto found = object.find(key);
  return found ? read_id(*found) : std::nullopt;
}

json::Value make_object(const WriteMembers& members) {
  json::Writer writer;
  writer.begin_object();
  members(writer);
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace enfold::mcp
