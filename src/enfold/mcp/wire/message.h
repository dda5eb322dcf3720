// SPDX-License-Identifier: Apache-2.0
// JSON-RPC 2.0 messages. Reading keeps the values of the document as they stand (params, result,
// the whole message), so that members nobody here knows survive; writing gives finished bytes.
#pragma once

#include "enfold/json/document.h"
#include "enfold/mcp/wire/error.h"
#include "enfold/mcp/wire/id.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::mcp {

struct Request {
  Id id;
  std::string method;
  json::Value params;  ///< an object, or null when there are none
};

struct Notification {
  std::string method;
  json::Value params;
};

using Outcome = tl::expected<json::Value, RpcError>;

struct Response {
  std::optional<Id> id;  ///< an error may have none: the peer could not read our id
  Outcome outcome;       ///< a result is always an object
};

using Message = std::variant<Request, Notification, Response>;

/// Why something is no message, and whom to tell.
struct BadMessage {
  enum class As {
    request,
    response,  ///< `id` is ours, and there is nobody to answer
    either     ///< nothing but an id: a server answers it, for a client it is a broken response
  };
  RpcError error;
  std::optional<Id> id;
  As as = As::request;
};

/// What one line or one body holds.
struct Messages {
  std::vector<Message> messages;  ///< empty only for a batch in which all are bad
  bool batch = false;             ///< came as an array; one revision knows them
  std::vector<BadMessage> bad;    ///< beside them in a batch
};

[[nodiscard]] tl::expected<Message, BadMessage> read_message(json::View message);
[[nodiscard]] tl::expected<Messages, BadMessage> read_messages(json::Buffer bytes,
                                                               const Limits& limits = {});

/// Params, or any other object, member by member into a writer.
using WriteMembers = std::function<void(json::Writer&)>;

/// `params` null: none are written.
[[nodiscard]] json::Output write_request(const Id& id, std::string_view method, json::View params);
[[nodiscard]] json::Output write_request(const Id& id, std::string_view method,
                                         const WriteMembers& params);
[[nodiscard]] json::Output write_notification(std::string_view method, json::View params);
[[nodiscard]] json::Output write_notification(std::string_view method, const WriteMembers& params);
/// The result is copied byte for byte, with its white space.
[[nodiscard]] json::Output write_response(const Id& id, json::View result);
[[nodiscard]] json::Output write_response(const Id& id, const WriteMembers& result);
/// Without an id the member is left out: the schemas of the protocol allow no null there.
[[nodiscard]] json::Output write_response(const std::optional<Id>& id, const RpcError& error);

/// The message for a transport on which a line feed ends a message. JSON has line feeds only as
/// white space between tokens: each becomes a space. No other byte changes.
[[nodiscard]] std::string to_line(const json::Output& message);

/// The member, when it is an object.
[[nodiscard]] std::optional<json::View> object_member(json::View object, std::string_view key);

}  // namespace enfold::mcp
