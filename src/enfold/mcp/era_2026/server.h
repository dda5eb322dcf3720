// SPDX-License-Identifier: Apache-2.0
// The server side of the stateless era (2026-07-28): every request names its client and the
// client's capabilities. Over stdio one Server serves the connection; over HTTP each POST has its
// own Server.
#pragma once

#include "enfold/mcp/era_2026/messages.h"
#include "enfold/mcp/peer/server_action.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace enfold::mcp::era_2026 {

class Server {
 public:
  explicit Server(std::shared_ptr<const ServerConfig> config) : config_(std::move(config)) {}

  /// `fields`: the HTTP headers, which must agree with the request; nullopt over stdio.
  [[nodiscard]] ServerActions receive(Request request, CallKey key,
                                      const std::optional<HeaderFields>& fields);
  /// notifications/cancelled cancels a call; all others are passed to the application.
  [[nodiscard]] ServerActions receive(Notification notification);

  [[nodiscard]] bool has_open_call(CallKey call) const {
    return std::ranges::find(open_, call, &OpenCall::key) != open_.end();
  }
  [[nodiscard]] bool is_id_in_use(const Id& id) const;
  [[nodiscard]] std::size_t open_calls() const { return open_.size(); }

  // Called by the application. They do nothing for a call that is not open any more.
  [[nodiscard]] ServerActions reply(CallKey call, Reply reply);
  /// Sends nothing unless the request has a progress token and the progress has grown.
  [[nodiscard]] ServerActions progress(CallKey call, const Progress& progress);
  /// Sends nothing unless the request has named a level, and the message is at least as severe.
  [[nodiscard]] ServerActions log(CallKey call, const LogMessage& message) const;
  /// If the call is a subscription, OpenCall::id is added to the params.
  [[nodiscard]] ServerActions notify(CallKey call, std::string_view method,
                                     json::View params) const;
  // Reach every subscription whose filter has this list or this resource.
  [[nodiscard]] ServerActions list_changed(ListKind kind) const;
  [[nodiscard]] ServerActions resource_updated(std::string_view uri) const;
  /// The client closed the stream of a call, which cancels the call.
  [[nodiscard]] ServerActions stream_closed(CallKey call);
  /// The server shuts down: subscriptions end; open calls may still be answered.
  [[nodiscard]] ServerActions end_subscriptions();
  /// The connection is closed: all open calls are cancelled, nothing is sent.
  [[nodiscard]] ServerActions closed(std::string_view reason);

 private:
  struct OpenCall {
    CallKey key;
    Id id;
    Method method;
    RequestMeta meta;
    std::optional<double> progress;                  ///< the last progress sent; nullopt: none
    std::optional<SubscriptionFilter> subscription;  ///< set for subscriptions/listen only
  };

  [[nodiscard]] std::optional<RpcError> reason_to_refuse(
      const Request& request, const RequestMeta& meta,
      const std::optional<HeaderFields>& fields) const;
  /// Opens and acknowledges a subscription.
  [[nodiscard]] ServerActions listen(const Request& request, CallKey key, RequestMeta meta);
  /// Opens the call and passes it to the application.
  [[nodiscard]] ServerActions report_call(Request request, CallKey key, RequestMeta meta,
                                          const std::optional<HeaderFields>& fields);
  [[nodiscard]] Send write_reply(const OpenCall& open, Reply reply) const;
  [[nodiscard]] Send write_input_request(const OpenCall& open, const InputRequired& required) const;
  /// Removes and returns the call; nullopt: it is not open.
  std::optional<OpenCall> take(CallKey call);

  std::shared_ptr<const ServerConfig> config_;
  std::vector<OpenCall> open_;  ///< over HTTP at most one
};

}  // namespace enfold::mcp::era_2026
