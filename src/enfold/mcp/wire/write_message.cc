// SPDX-License-Identifier: Apache-2.0
// Writes messages as finished bytes.
#include "enfold/mcp/wire/message.h"

namespace enfold::mcp {
namespace {

// Most messages fit into this buffer, so that it need not grow.
constexpr std::size_t kInitialBufferBytes = 640;

/// `id` null: the member `id` is left out. `write_body` writes the members after it.
template <class WriteBody>
json::Output write_message(const Id* id, WriteBody write_body) {
  json::Writer writer;
  writer.reserve(kInitialBufferBytes);
  writer.begin_object().member("jsonrpc", "2.0");
  if (id != nullptr) {
    writer.key("id");
    write_id(writer, *id);
  }
  write_body(writer);
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

void write_id(json::Writer& writer, const Id& id) {
  if (const auto* integer = std::get_if<std::int64_t>(&id)) {
    writer.integer(*integer);
  } else {
    writer.string(std::get<std::string>(id));
  }
}

void write_error(json::Writer& writer, const RpcError& error) {
  writer.begin_object().member("code", error.code).member("message", error.message);
  if (error.data) writer.member("data", *error.data);
  writer.end_object();
}

json::Output write_request(const Id& id, std::string_view method, json::View params) {
  return write_request_or_notification(&id, method, params);
}

json::Output write_request(const Id& id, std::string_view method, const WriteMembers& params) {
  return write_request_or_notification(&id, method, params);
}

json::Output write_notification(std::string_view method, json::View params) {
  return write_request_or_notification(/*id=*/nullptr, method, params);
}

json::Output write_notification(std::string_view method, const WriteMembers& params) {
  return write_request_or_notification(/*id=*/nullptr, method, params);
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
    writer.key("error");
    write_error(writer, error);
  });
}

}  // namespace enfold::mcp
