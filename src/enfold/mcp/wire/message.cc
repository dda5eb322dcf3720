// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/message.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

using Kind = BadMessage::Kind;

// Each message costs more than its bytes, and a batch is read and refused as a whole.
constexpr std::size_t kMaxBatch = 256;

tl::unexpected<BadMessage> bad_message(std::string message, std::optional<Id> id = std::nullopt,
                                       Kind kind = Kind::request) {
  return tl::unexpected(BadMessage{invalid_request(std::move(message)), std::move(id), kind});
}

/// The members of a message that JSON-RPC defines.
struct Members {
  std::optional<json::View> version;
  std::optional<json::View> id;
  std::optional<json::View> method;
  std::optional<json::View> params;
  std::optional<json::View> result;
  std::optional<json::View> error;
};

// Reads in one pass, because every message is read here. Of repeated keys the last counts.
Members read_members(json::View message) {
  Members found;
  std::string decoded;
  for (const json::Member& member : message.members()) {
    std::string_view key = member.key.string_source();
    if (member.key.has_escapes()) key = decoded = member.key.string();
    if (key == "jsonrpc") {
      found.version = member.value;
    } else if (key == "id") {
      found.id = member.value;
    } else if (key == "method") {
      found.method = member.value;
    } else if (key == "params") {
      found.params = member.value;
    } else if (key == "result") {
      found.result = member.value;
    } else if (key == "error") {
      found.error = member.value;
    }
  }
  return found;
}

// A message without a method.
tl::expected<Message, BadMessage> read_response(const Members& message, std::optional<Id> id) {
  const std::optional<json::View>& result = message.result;
  const std::optional<json::View>& error = message.error;
  if (!result && !error) {
    return bad_message("Expected method, result or error, found none of them", std::move(id),
                       Kind::either);
  }
  if (result && error) {
    return bad_message("Expected result or error, found both", std::move(id), Kind::response);
  }
  const json::View value = result ? *result : *error;
  if (!value.is_object()) {
    return bad_message(fmt::format("Expected an object as {}, found {}",
                                   result ? "result" : "error", json::name(value.kind())),
                       std::move(id), Kind::response);
  }
  // An error may have no id: the peer could not read the id of the request.
  if (error) return Response{std::move(id), tl::unexpected(read_error(*error))};
  if (!id)
    return bad_message("Expected the id of a request beside result, found none", {},
                       Kind::response);
  return Response{std::move(id), json::Value(*result)};
}

tl::expected<Message, BadMessage> read_message(json::View message) {
  if (!message.is_object()) {
    return bad_message(
        fmt::format("Expected a JSON-RPC message, found {}", json::name(message.kind())));
  }
  const Members found = read_members(message);
  std::optional<Id> id = found.id ? read_id(*found.id) : std::nullopt;
  if (!found.version || !found.version->equals("2.0")) {
    const Kind kind = found.method                  ? Kind::request
                      : found.result || found.error ? Kind::response
                                                    : Kind::either;
    return bad_message("Expected \"jsonrpc\": \"2.0\"", std::move(id), kind);
  }
  if (!found.method) return read_response(found, std::move(id));
  if (!found.method->is_string()) return bad_message("Expected a string as method", std::move(id));
  if (!id && found.id) return bad_message("Expected a string or an integer as id");
  json::Value params;
  if (found.params) {
    if (!found.params->is_object()) {
      return bad_message(
          fmt::format("Expected an object as params, found {}", json::name(found.params->kind())),
          std::move(id));
    }
    params = json::Value(*found.params);
  }
  if (!id) return Notification{found.method->string(), std::move(params)};
  return Request{std::move(*id), found.method->string(), std::move(params)};
}

}  // namespace

std::optional<Id> read_id(json::View value) {
  if (value.is_string()) return Id(value.string());
  if (const auto integer = value.integer()) return Id(*integer);
  return std::nullopt;
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

RpcError with_stateless_code(RpcError error) {
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

RpcError missing_extension(std::string_view extension) {
  return missing_capability(fmt::format("The request does not declare the extension {}", extension),
                            make_object([&](json::Writer& writer) {
                              writer.key("extensions").begin_object();
                              writer.key(extension).begin_object().end_object().end_object();
                            }));
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
  if (root.size() == 0)
    return bad_message("Expected at least one message in the batch, found none");
  if (root.size() > kMaxBatch) {
    return bad_message(
        fmt::format("Expected at most {} messages in the batch, found {}", kMaxBatch, root.size()));
  }
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
