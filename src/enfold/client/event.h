// SPDX-License-Identifier: Apache-2.0
// What a client reports: how each request ended, and what the server said on its own. Events are
// the structs of the protocol (mcp/peer/client_action.h), passed on as the peer made them.
#pragma once

#include "enfold/mcp/peer/client_action.h"
#include "enfold/net/callback.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace enfold::client {

/// One line that a child wrote to its standard error.
struct ErrorLine {
  std::string text;
};
/// The server sent something that is no message.
struct Noise {
  Error error;
};

/// `Ready`: the connection is made, also when a lost session was replaced. `Broken`: it is gone or
/// could not be made; its requests have failed. `ServerRequest` is answered with Client::answer,
/// now or later.
using Event = std::variant<mcp::Ready, mcp::Broken, mcp::ServerRequest, mcp::ServerRequestWithdrawn,
                           mcp::LogReport, mcp::ListChanged, mcp::ResourceUpdated,
                           mcp::Notification, ErrorLine, Noise>;
/// May be empty: then what the server asks is refused.
using OnEvent = std::function<void(Event event)>;

/// Why a request has no result. `error` always says it in words.
struct CallFailure {
  Error error;
  std::optional<mcp::RpcError> refusal;             ///< when the server answered with an error
  std::optional<std::chrono::seconds> retry_after;  ///< when the server named a time
  int http_status = 0;  ///< with which the server refused the request or the connection; 0: none
};
using CallResult = tl::expected<json::Value, CallFailure>;

struct CallEvents {
  net::Callback<void(CallResult result)> done;  ///< comes once, unless the request is cancelled
  std::function<void(const mcp::ProgressReport& progressed)> on_progress;
  std::function<void(const mcp::SubscriptionFilter& filter)> on_acknowledged;
};

}  // namespace enfold::client
