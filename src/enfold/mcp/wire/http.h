// SPDX-License-Identifier: Apache-2.0
// What an HTTP request to the endpoint means: which era, which session, which message, or why it is
// refused and with what status. Both eras live on one path. Host and Origin are checked before,
// by whoever owns the socket.
#pragma once

#include "enfold/mcp/peer/server_action.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::mcp {

/// An answer without any peer. The body is JSON, or empty.
struct Rejection {
  int status = 400;
  json::Output body;
  std::string_view allow;  ///< value of the Allow header, with 405
};
/// Answered by a peer made for it alone.
struct StatelessPost {
  Message message;
};
/// For the peer of the session; without one it is `initialize`, which opens one. Its texts are
/// borrowed from the headers.
struct SessionPost {
  std::optional<std::string_view> session;
  std::vector<Message> messages;
  bool batch = false;  ///< which the revision of the session has to know
  // Unchecked.
  std::string_view traceparent = {};
  std::string_view tracestate = {};

  [[nodiscard]] bool has_requests() const;  ///< else the answer is 202 and nothing more
};
/// GET: the standalone stream, or one that was lost.
struct SessionStream {
  std::string session;
  std::optional<std::string> last_event_id;
};
/// DELETE.
struct SessionEnd {
  std::string session;
};
using Route = std::variant<Rejection, StatelessPost, SessionPost, SessionStream, SessionEnd>;

[[nodiscard]] Route route(std::string_view http_method, HeaderFields fields, json::Buffer body,
                          const ServerConfig& config, const Limits& limits = {});

/// For a session id that opens nothing (any more): the client must initialize again.
[[nodiscard]] Rejection session_not_found();
[[nodiscard]] Rejection rejection(int status, const RpcError& error,
                                  const std::optional<Id>& id = std::nullopt);

/// Visible ASCII, as the specification asks.
[[nodiscard]] bool is_session_id(std::string_view text);

/// Whether an Accept header admits a media type, such as "text/event-stream".
[[nodiscard]] bool accepts(std::string_view accept, std::string_view media_type);

}  // namespace enfold::mcp
