// SPDX-License-Identifier: Apache-2.0
// The server side of the stateless era (2026-07-28): every request says who asks and what they can
// do. Over stdio one of these serves the connection; over HTTP each POST has its own.
#pragma once

#include "enfold/mcp/era_2026/request_meta.h"
#include "enfold/mcp/peer/server_action.h"

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
  [[nodiscard]] ServerActions receive(Notification notification);

  [[nodiscard]] bool owns(CallKey call) const;
  [[nodiscard]] bool owns(const Id& id) const;
  [[nodiscard]] std::size_t open_calls() const { return open_.size(); }

  /// All of these do nothing for a call that is not open any more.
  [[nodiscard]] ServerActions reply(CallKey call, Reply reply);
  [[nodiscard]] ServerActions progress(CallKey call, const Progress& progress);
  [[nodiscard]] ServerActions log(CallKey call, const LogMessage& message) const;
  [[nodiscard]] ServerActions notify(CallKey call, std::string_view method,
                                     json::View params) const;
  [[nodiscard]] ServerActions list_changed(ListKind kind) const;
  [[nodiscard]] ServerActions resource_updated(std::string_view uri) const;
  /// The stream of a call is gone, which is how HTTP says cancel.
  [[nodiscard]] ServerActions stream_closed(CallKey call);
  /// Ends all subscriptions in order.
  [[nodiscard]] ServerActions end();
  /// Nobody is there any more.
  [[nodiscard]] ServerActions closed(std::string_view reason);

 private:
  struct Open {
    CallKey key;
    Id id;
    Method method;
    RequestMeta meta;
    std::optional<double> progress;             ///< the last that was sent
    std::optional<SubscriptionFilter> listens;  ///< a subscription, not a call
  };

  [[nodiscard]] std::optional<RpcError> refuse(const Request& request, const RequestMeta& meta,
                                               const std::optional<HeaderFields>& fields) const;
  [[nodiscard]] ServerActions listen(const Request& request, CallKey key, RequestMeta meta);
  [[nodiscard]] ServerActions begin(Request request, CallKey key, RequestMeta meta,
                                    const std::optional<HeaderFields>& fields);
  [[nodiscard]] Send write_reply(const Open& open, Reply reply) const;
  [[nodiscard]] Send write_question(const Open& open, const InputRequired& required) const;
  [[nodiscard]] const Open* find(CallKey call) const;
  std::optional<Open> take(CallKey call);

  std::shared_ptr<const ServerConfig> config_;
  std::vector<Open> open_;  ///< few: one over HTTP
};

}  // namespace enfold::mcp::era_2026
