// SPDX-License-Identifier: Apache-2.0
// Questions of upstreams to clients: elicitation, sampling, roots. Enfold asks a client with a
// session by a request. A client without one is asked by the result of its call; the call is parked
// until the client calls again with the answer.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/gateway/lists/local_tools.h"
#include "enfold/gateway/upstream/connections.h"

namespace enfold::gateway {

class Elicitations {
 public:
  Elicitations(const Environment& environment, Connections& connections, OpenCalls& calls,
               LocalTools& local)
      : environment_(environment), connections_(connections), calls_(calls), local_(local) {}

  void on_ask(UpstreamConnection& connection, const mcp::ServerRequest& asked);
  void on_ask_withdrawn(UpstreamConnection& connection, mcp::ServerRequestKey ask);
  void answered(serve::ClientChannel& channel, mcp::ServerRequestKey ask,
                const mcp::ResultOrError& outcome);
  /// The client has disconnected: Enfold answers its open questions with an error.
  void gone(serve::ClientChannel& channel);

  /// Continues the parked call that `call` names by its state; nullptr: this principal has no such
  /// parked call.
  [[nodiscard]] std::shared_ptr<serve::OpenCall> resume(
      const mcp::Call& call, const std::shared_ptr<serve::ClientChannel>& channel);

  /// Seals the state in a result that asks for input, so that only this principal can send it back.
  [[nodiscard]] json::Value seal(const ClientCall& call, json::Value result) const;
  /// The call with its state unsealed, as the upstream sent it; an error if the state was sealed
  /// for another principal. `upstream` is the one that the call goes to, or null.
  [[nodiscard]] tl::expected<mcp::Call, mcp::RpcError> unseal(const mcp::Call& call,
                                                              serve::ClientChannel& channel,
                                                              const Upstream* upstream) const;

 private:
  struct Question {
    serve::ClientChannel* channel;
    std::weak_ptr<UpstreamConnection> connection;
    mcp::ServerRequestKey upstream;    ///< as the connection names it
    mcp::ServerRequestKey downstream;  ///< as the channel names it
  };
  struct ParkedCall {
    std::string principal;
    std::shared_ptr<ClientCall> call;
    std::unique_ptr<serve::Alarm> timeout;
  };
  void ask_session(UpstreamConnection& connection, const mcp::ServerRequest& asked,
                   serve::ClientChannel& channel, std::optional<mcp::CallKey> about);
  void ask_by_result(ClientCall& call, const mcp::ServerRequest& asked);
  void on_timeout(const std::string& state);

  const Environment& environment_;
  Connections& connections_;
  OpenCalls& calls_;
  LocalTools& local_;
  std::vector<Question> questions_;
  std::unordered_map<std::string, ParkedCall>
      parked_;  ///< by the state that the client sends with its answer
  std::unordered_map<std::string, std::size_t>
      parked_of_;  ///< number of parked calls, by principal
  Lifetime alive_;
};

}  // namespace enfold::gateway
