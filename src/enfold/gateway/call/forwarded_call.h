// SPDX-License-Identifier: Apache-2.0
// Calls that are forwarded unchanged: prompts, resources, completion, and every method that Enfold
// does not know.
#pragma once

#include "enfold/gateway/call/services.h"
#include "enfold/gateway/upstream/client_call.h"

#include <memory>

namespace enfold::gateway {

/// The upstream that a call goes to, and the name of its tool or prompt there.
[[nodiscard]] Route route_of(const CallServices& services, const mcp::Call& call);

/// The params that the upstream receives: with its own name for the tool or prompt (empty:
/// unchanged), and with the answers to questions that a session has given.
[[nodiscard]] json::Value params_for(const mcp::Call& call, const std::string& name);

/// The request by which a call is sent over its connection.
[[nodiscard]] mcp::CallOptions request_for(const CallServices& services, const ClientCall& call,
                                           const json::Value& params);

/// The connection over which a client's call reaches the upstream.
[[nodiscard]] std::shared_ptr<UpstreamConnection> connection_for(const CallServices& services,
                                                                 const ClientCall& call,
                                                                 serve::Port& port,
                                                                 Upstream& upstream);

class ForwardedCall final : public ClientCall {
 public:
  /// Replies with an error when no upstream has the named prompt or resource.
  static std::shared_ptr<serve::OpenCall> begin(const CallServices& services, const mcp::Call& call,
                                                const std::shared_ptr<serve::Port>& port);
  ForwardedCall(const CallServices& services, const mcp::Call& call,
                const std::shared_ptr<serve::Port>& port)
      : ClientCall(call, port, services.open_calls), services_(services) {}

 private:
  void on_result(client::CallResult result) override;

  const CallServices& services_;
};

/// resources/subscribe and resources/unsubscribe of a session.
class SubscribeCall final : public ClientCall {
 public:
  static std::shared_ptr<serve::OpenCall> begin(const CallServices& services, const mcp::Call& call,
                                                const std::shared_ptr<serve::Port>& port);
  SubscribeCall(const CallServices& services, const mcp::Call& call,
                const std::shared_ptr<serve::Port>& port)
      : ClientCall(call, port, services.open_calls), services_(services) {}

 private:
  void start(serve::Port& port);
  void note(serve::Port& port);
  void on_result(client::CallResult result) override;

  const CallServices& services_;
};

}  // namespace enfold::gateway
