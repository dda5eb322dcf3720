// SPDX-License-Identifier: Apache-2.0
// Calls that are forwarded with no more than names replaced: prompts, resources, completion, and
// every method that Enfold does not know.
#pragma once

#include "enfold/gateway/call/services.h"
#include "enfold/gateway/upstream/connection.h"

namespace enfold::gateway {

/// The upstream that a call goes to, and the name of its tool or prompt there; empty: unchanged. No
/// upstream (nullptr) if none has the tool or prompt. A resource whose owner is not known, and any
/// other call, goes to the first upstream.
[[nodiscard]] Route route_of(const CallServices& services, const mcp::Call& call);

/// The request by which a call is sent over this connection. `name`: of the tool or prompt at the
/// upstream; empty: unchanged.
[[nodiscard]] mcp::CallOptions request_for(const CallServices& services, const ClientCall& call,
                                           const UpstreamConnection& connection,
                                           const std::string& name = {});
/// As request_for, but with these params.
[[nodiscard]] mcp::CallOptions request_with(const CallServices& services, const ClientCall& call,
                                            const UpstreamConnection& connection,
                                            const json::Value& params);

class ForwardedCall final : public ClientCall {
 public:
  /// Replies with an error and returns nullptr if the named prompt belongs to no upstream.
  static std::shared_ptr<serve::OpenCall> begin(
      const CallServices& services, const mcp::Call& call,
      const std::shared_ptr<serve::ClientChannel>& channel);
  ForwardedCall(const CallServices& services, const mcp::Call& call,
                const std::shared_ptr<serve::ClientChannel>& channel)
      : ClientCall(call, channel, services.open_calls), services_(services) {}

 private:
  void on_result(client::CallResult result) override;

  const CallServices& services_;
};

/// resources/subscribe and resources/unsubscribe of a session. The stateless era has no such
/// requests: there Enfold changes its open subscriptions/listen request.
class SubscribeCall final : public ClientCall {
 public:
  static std::shared_ptr<serve::OpenCall> begin(
      const CallServices& services, const mcp::Call& call,
      const std::shared_ptr<serve::ClientChannel>& channel);
  SubscribeCall(const CallServices& services, const mcp::Call& call,
                const std::shared_ptr<serve::ClientChannel>& channel)
      : ClientCall(call, channel, services.open_calls), services_(services) {}

 private:
  /// Sends the request over the upstream's connection, which delays it until it is ready. If the
  /// upstream is known to be stateless, or if the client unsubscribes from a resource that no
  /// upstream is known to have, changes subscriptions/listen instead.
  void start(serve::ClientChannel& channel);
  /// The upstream is connected. If it is stateless, cancels the request and changes
  /// subscriptions/listen instead.
  void on_ready() override;
  /// Records the subscription, changes subscriptions/listen on these connections, and replies.
  void change_listens(serve::ClientChannel& channel,
                      const std::vector<std::shared_ptr<UpstreamConnection>>& connections);
  /// Adds the resource to those that the client has subscribed to, or removes it. Called when the
  /// upstream has accepted the request, or needs none.
  void record_subscription(serve::ClientChannel& channel);
  void on_result(client::CallResult result) override;

  const CallServices& services_;
};

}  // namespace enfold::gateway
