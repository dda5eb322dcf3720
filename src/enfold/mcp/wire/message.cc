// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/message.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

// Most messages need no more room.
constexpr std::size_t kUsualMessage = 640;

using As = BadMessage::As;

tl::unexpected<BadMessage> bad(std::string message, std::optional<Id> id = std::nullopt,
                               As as = As::request) {
  return tl::unexpected(BadMessage{invalid_request(std::move(message)), std::move(id), as});
}

tl::expected<Message, BadMessage> read_response(json::View message, std::optional<Id> id) {
  const auto result = message.find("result");
  const auto error = message.find("error");
  if (!result && !error) {
    return bad("Expected method, result or error, found none of them", std::move(id), As::either);
  }
  if (result && error) {
    return bad("Expected result or error, found both", std::move(id), As::response);
  }
  const json::View said = result ? *result : *error;
  if (!said.is_object()) {
    return bad(fmt::format("Expected an object as {}, found {}", result ? "result" : "error",
                           json::name(said.kind())),
               std::move(id), As::response);
  }
  if (error) return Response{std::move(id), tl::unexpected(read_error(*error))};
  if (!id) return bad("Expected the id of a request beside result, found none", {}, As::response);
  return Response{std::move(id), json::Value(*result)};
}

template <class Body>
json::Output with_frame(Body body) {
  json::Writer writer;
  writer.reserve(kUsualMessage);
  writer.begin_object().member("jsonrpc", "2.0");
  body(writer);
  writer.end_object();
  return std::move(writer).finish();
}

void put(json::Writer& writer, std::string_view key, const WriteMembers& members) {
  writer.key(key).begin_object();
  members(writer);
  writer.end_object();
}

}  // namespace

tl::expected<Message, BadMessage> read_message(json::View message) {
  if (!message.is_object()) {
    return bad(fmt::format("Expected a JSON-RPC message, found {}", json::name(message.kind())));
  }
  const auto id_member = message.find("id");
  std::optional<Id> id;
  if (id_member) id = read_id(*id_member);
  const auto version = message.find("jsonrpc");
  if (!version || !version->equals("2.0")) {
    return bad("Expected \"jsonrpc\": \"2.0\"", std::move(id));
  }
  const auto method = message.find("method");
  if (!method) return read_response(message, std::move(id));
  if (!method->is_string()) return bad("Expected a string as method", std::move(id));
  if (id_member && !id) return bad("Expected a string or an integer as id");
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

tl::expected<Messages, BadMessage> read_messages(json::Buffer bytes, const Limits& limits) {
  const Result<json::Document> document = json::parse(std::move(bytes), limits);
  if (!document) {
    const Error& error = document.error();
    return tl::unexpected(BadMessage{
        {code::parse_error, fmt::format("Parse error: {} at {}", error.message, error.where), {}},
        std::nullopt,
        As::request});
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
  return with_frame([&](json::Writer& writer) {
    writer.key("id");
    write_id(writer, id);
    writer.member("method", method);
    if (!params.is_null()) writer.member("params", params);
  });
}

json::Output write_request(const Id& id, std::string_view method, const WriteMembers& params) {
  return with_frame([&](json::Writer& writer) {
    writer.key("id");
    write_id(writer, id);
    writer.member("method", method);
    put(writer, "params", params);
  });
}

json::Output write_notification(std::string_view method, json::View params) {
  return with_frame([&](json::Writer& writer) {
    writer.member("method", method);
    if (!params.is_null()) writer.member("params", params);
  });
}

json::Output write_notification(std::string_view method, const WriteMembers& params) {
  return with_frame([&](json::Writer& writer) {
    writer.member("method", method);
    put(writer, "params", params);
  });
}

json::Output write_response(const Id& id, json::View result) {
  return with_frame([&](json::Writer& writer) {
    writer.key("id");
    write_id(writer, id);
    writer.key("result").verbatim(result);
  });
}

json::Output write_response(const Id& id, const WriteMembers& result) {
  return with_frame([&](json::Writer& writer) {
    writer.key("id");
    write_id(writer, id);
    put(writer, "result", result);
  });
}

json::Output write_response(const std::optional<Id>& id, const RpcError& error) {
  return with_frame([&](json::Writer& writer) {
    if (id) {
      writer.key("id");
      write_id(writer, *id);
    }
    writer.key("error");
    write_error(writer, error);
  });
}

std::string to_line(const json::Output& message) {
  std::string line = message.str();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::optional<json::View> object_member(json::View object, std::string_view key) {
  const auto found = object.find(key);
  if (!found || !found->is_object()) return std::nullopt;
  return found;
}

}  // namespace enfold::mcp
