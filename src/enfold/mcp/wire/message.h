// SPDX-License-Identifier: Apache-2.0
// JSON-RPC 2.0: ids, errors and messages. Reading keeps the values of the document unchanged
// (params, result, the whole message), so that members unknown to Enfold survive; writing gives
// finished bytes. An enfold::Error becomes a JSON-RPC error in one place, `to_rpc_error`.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/json/write.h"
#include "enfold/mcp/wire/protocol.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::mcp {

/// The id of a request, or a progress token. 1 and "1" are two ids.
using Id = std::variant<std::int64_t, std::string>;

/// nullopt for any other value: null, fractions, integers beyond 64 bits.
[[nodiscard]] std::optional<Id> read_id(json::View value);
void write_id(json::Writer& writer, const Id& id);

/// The JSON text of an id: 7 or "7".
[[nodiscard]] std::string text_of(const Id& id);

namespace code {
inline constexpr std::int64_t parse_error = -32700;
inline constexpr std::int64_t invalid_request = -32600;
inline constexpr std::int64_t method_not_found = -32601;
inline constexpr std::int64_t invalid_params = -32602;
inline constexpr std::int64_t internal_error = -32603;
inline constexpr std::int64_t bad_request = -32000;          ///< refused before it reached a peer
inline constexpr std::int64_t session_not_found = -32001;    ///< session era, over HTTP
inline constexpr std::int64_t resource_not_found = -32002;   ///< up to 2025-11-25
inline constexpr std::int64_t url_elicitation = -32042;      ///< 2025-11-25 only
inline constexpr std::int64_t header_mismatch = -32020;      ///< from 2026-07-28 on
inline constexpr std::int64_t missing_capability = -32021;   ///< from 2026-07-28 on
inline constexpr std::int64_t unsupported_version = -32022;  ///< from 2026-07-28 on
}  // namespace code

struct RpcError {
  std::int64_t code = code::internal_error;
  std::string message;
  std::optional<json::Value> data;  ///< nullopt: none
  friend bool operator==(const RpcError&, const RpcError&) = default;
};

/// Stateless era: the HTTP status of a response that is this error and nothing else; 200 for a code
/// without a status. In the session era the status of every JSON-RPC error is 200.
[[nodiscard]] int http_status(std::int64_t error_code);

/// Replaces a code that the stateless era does not have by the code that it uses instead.
[[nodiscard]] RpcError with_stateless_code(RpcError error);

/// The place and the hint become the members `where` and `hint` of `data`.
[[nodiscard]] RpcError to_rpc_error(const Error& error);

// The errors that the protocol defines.
[[nodiscard]] RpcError method_not_found(std::string_view method);
[[nodiscard]] RpcError invalid_params(std::string message);
[[nodiscard]] RpcError invalid_request(std::string message);
[[nodiscard]] RpcError internal_error(std::string message);
[[nodiscard]] RpcError id_in_use(const Id& id);
[[nodiscard]] RpcError too_many_requests(std::size_t limit);
[[nodiscard]] RpcError unsupported_version(std::string_view requested,
                                           std::span<const std::string> supported);
/// `needed` is a capabilities object, such as {"sampling":{}}.
[[nodiscard]] RpcError missing_capability(std::string message, json::Value needed);
[[nodiscard]] RpcError missing_extension(std::string_view extension);
[[nodiscard]] RpcError header_mismatch(std::string_view header, std::string message);
[[nodiscard]] RpcError resource_not_found(Era era, std::string_view uri);

/// Without a valid code: internal_error. Without a message: an empty one.
[[nodiscard]] RpcError read_error(json::View error);
/// Writes the object, with its braces.
void write_error(json::Writer& writer, const RpcError& error);

struct Request {
  Id id;
  std::string method;
  json::Value params;  ///< an object, or null if there are none
};

struct Notification {
  std::string method;
  json::Value params;  ///< an object, or null if there are none
};

/// What a JSON-RPC response carries.
using ResultOrError = tl::expected<json::Value, RpcError>;

struct Response {
  std::optional<Id> id;   ///< an error may have none: the peer could not read the request's id
  ResultOrError outcome;  ///< a result is always an object
};

using Message = std::variant<Request, Notification, Response>;

/// An invalid message, and whether it was probably meant as a request or as a response.
struct BadMessage {
  enum class Kind {
    request,   ///< its receiver sends `error` back
    response,  ///< nothing is sent back; `id` is that of a request that the receiver sent
    either     ///< has only an id: a server reads it as a request, a client as a response
  };
  RpcError error;
  std::optional<Id> id;  ///< nullopt: none, or it cannot be read
  Kind kind = Kind::request;
};

/// The messages of one line or one HTTP body.
struct Messages {
  std::vector<Message> messages;  ///< empty only for a batch in which all are invalid
  bool batch = false;             ///< came as a JSON array; only one revision allows that
  std::vector<BadMessage> bad;    ///< the invalid messages of a batch
};

/// An error if the bytes are no JSON, an invalid message, or an empty or too long batch.
[[nodiscard]] tl::expected<Messages, BadMessage> read_messages(json::Buffer bytes,
                                                               const Limits& limits = {});

/// Writes the members of params, or of any other object, into an open object.
using WriteMembers = std::function<void(json::Writer&)>;

/// Null `params` are left out.
[[nodiscard]] json::Output write_request(const Id& id, std::string_view method, json::View params);
[[nodiscard]] json::Output write_request(const Id& id, std::string_view method,
                                         const WriteMembers& params);
[[nodiscard]] json::Output write_notification(std::string_view method, json::View params = {});
[[nodiscard]] json::Output write_notification(std::string_view method, const WriteMembers& params);
/// The result is copied byte for byte, with its white space.
[[nodiscard]] json::Output write_response(const Id& id, json::View result);
[[nodiscard]] json::Output write_response(const Id& id, const WriteMembers& result);
/// Without an id the member is left out: the schemas of the protocol allow no null there.
[[nodiscard]] json::Output write_response(const std::optional<Id>& id, const RpcError& error);

/// The message for a transport on which a line feed ends a message. JSON has line feeds only as
/// white space between tokens: each becomes a space. No other byte changes.
[[nodiscard]] inline std::string to_line(const json::Output& message) {
  std::string line = message.str();
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  return line;
}

/// The member, if it is an object.
[[nodiscard]] inline std::optional<json::View> object_member(json::View object,
                                                             std::string_view key) {
  const auto found = object.find(key);
  return found && found->is_object() ? found : std::nullopt;
}
/// The member, if it is an id.
[[nodiscard]] std::optional<Id> id_member(json::View object, std::string_view key);
/// Writes an object of these members.
[[nodiscard]] json::Value make_object(const WriteMembers& members);

}  // namespace enfold::mcp
