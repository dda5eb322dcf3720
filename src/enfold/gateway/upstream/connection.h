// SPDX-License-Identifier: Apache-2.0
// Adds the gateway's policy to a Client: connects when a request needs a connection, waits as the
// circuit breaker demands (all connections to the upstream share it), and restarts a child process
// that hangs.
#pragma once

#include "enfold/client/client.h"
#include "enfold/gateway/config/settings.h"
#include "enfold/gateway/policy/breaker.h"

namespace enfold::gateway {

class UpstreamConnection;

class UpstreamOwner {
 public:
  /// `Broken` contains the name of the upstream, never its address. The handler may destroy the
  /// connection.
  virtual void on_event(UpstreamConnection& connection, client::Event event) = 0;

 protected:
  ~UpstreamOwner() = default;
};

class UpstreamConnection : public std::enable_shared_from_this<UpstreamConnection> {
 public:
  /// `settings`, `breaker` and `owner` must outlive it. `on_behalf_of`: the client that the server
  /// sees; clients with the same name and capabilities may share a connection. `first`: the era
  /// that is tried first.
  UpstreamConnection(net::Loop& loop, const UpstreamSettings& settings, Breaker& breaker,
                     UpstreamOwner& owner, std::shared_ptr<const mcp::Caller> on_behalf_of,
                     std::optional<mcp::Era> first);
  UpstreamConnection(const UpstreamConnection&) = delete;
  UpstreamConnection& operator=(const UpstreamConnection&) = delete;
  ~UpstreamConnection();

  /// Connects now, even if the breaker is open. `done` is never called before this returns.
  void connect(client::Client::Connected done);

  [[nodiscard]] mcp::CallOptions prepare(std::string_view method, json::Value params) const {
    return client_.prepare(method, std::move(params));
  }
  /// Sends a request; connects first if necessary. `done` is never called before this returns.
  mcp::CallKey request(mcp::CallOptions options, client::CallEvents events);
  void cancel(mcp::CallKey call, std::string_view reason) { client_.cancel(call, reason); }
  void notify(std::string_view method, json::View params) { client_.notify(method, params); }
  void answer(mcp::ServerRequestKey ask, mcp::Outcome outcome) {
    client_.answer(ask, std::move(outcome));
  }
  /// Closes the connection; a child process may end gracefully. Open requests fail.
  void close(net::Task done);

  [[nodiscard]] bool is_ready() const { return client_.is_ready(); }
  [[nodiscard]] const mcp::ServerIdentity& server() const { return client_.server(); }
  [[nodiscard]] bool is_over_http() const { return client_.is_over_http(); }
  [[nodiscard]] std::size_t times_ready() const { return times_ready_; }
  [[nodiscard]] std::size_t open_requests() const { return client_.open_requests(); }
  [[nodiscard]] const UpstreamSettings& settings() const { return settings_; }
  [[nodiscard]] const std::shared_ptr<const mcp::Caller>& on_behalf_of() const { return behalf_; }

 private:
  [[nodiscard]] Error located(Error error) const;
  [[nodiscard]] bool is_idle() const { return !client_.is_ready() && !client_.is_connecting(); }
  void on_event(client::Event event);
  void on_done(client::CallResult& result);
  [[nodiscard]] client::CallFailure refusal() const;
  void probe_after_timeout();

  net::Loop& loop_;
  const UpstreamSettings& settings_;
  Breaker& breaker_;
  UpstreamOwner& owner_;
  std::shared_ptr<const mcp::Caller> behalf_;
  std::size_t times_ready_ = 0;
  bool is_probing_ =
      false;  ///< a ping checks whether a server that did not answer a call still runs
  client::Client client_;
  net::Timer retry_;
  Lifetime lifetime_;
};

}  // namespace enfold::gateway
