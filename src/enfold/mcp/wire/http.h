// SPDX-License-Identifier: Apache-2.0
// Classifies an HTTP request: its era, its session and its messages, or the status and error with
// which it is refused. Both eras use the same URL. The HTTP server has checked Host and Origin
// before.
#pragma once

#include "enfold/mcp/peer/server_action.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::mcp {

/// The request is refused before any peer sees it. The body is JSON, or empty.
struct Rejection {
  int status = 400;
  json::Output body;
  std::string_view allow;  ///< with status 405: value of the Allow header; else empty
};
/// A message of the stateless era: a peer is made for it alone.
struct StatelessPost {
  Message message;
};
/// Messages for the peer of a session. The texts point into the headers.
struct SessionPost {
  std::optional<std::string_view> session;  ///< nullopt: `initialize`, alone, opens a session
  std::vector<Message> messages;
  bool batch = false;  ///< came as a JSON array; the peer must check that its revision allows it
  HeaderFields fields = {};  ///< the headers of the request; empty for `initialize`
};
/// GET: opens the event stream of a session for messages that belong to no call, or resumes a
/// broken stream.
struct SessionStream {
  std::string session;
  std::optional<std::string> last_event_id;  ///< resume after this event; nullopt: open a stream
};
/// DELETE: ends the session.
struct SessionEnd {
  std::string session;
};
using Route = std::variant<Rejection, StatelessPost, SessionPost, SessionStream, SessionEnd>;

/// `fields`: the headers; they must outlive a SessionPost.
[[nodiscard]] Route route(std::string_view http_method, HeaderFields fields, json::Buffer body,
                          const ServerConfig& config, const Limits& limits = {});

/// For a session id that is unknown or expired: the client must initialize again.
[[nodiscard]] Rejection session_not_found();
/// `id`: of the refused request; nullopt: it has none, or it cannot be read.
[[nodiscard]] Rejection rejection(int status, const RpcError& error,
                                  const std::optional<Id>& id = std::nullopt);

/// Whether an Accept header names a media type, such as "text/event-stream". Ignores the quality:
/// q=0 counts as named.
[[nodiscard]] bool accepts(std::string_view accept, std::string_view media_type);

}  // namespace enfold::mcp
