// SPDX-License-Identifier: Apache-2.0
// The interface between a transport and the service that answers calls: the gateway, or a server
// built with the library. A transport gives each call to the service; the service replies once, now
// or later, through the channel that the call came from. Everything here runs on the serving thread
// (that of the event loop) unless its comment says otherwise.
#pragma once

#include "enfold/serve/host.h"
#include "enfold/serve/settings.h"

#include <atomic>
#include <set>

namespace enfold::serve {

enum class CancelCause : std::uint8_t { client_cancelled, client_disconnected };

/// The handshake of a session: the client has sent `initialize`, and then `initialized`.
enum class SessionStage : std::uint8_t { started, ready };

/// The reason that the gateway gives an upstream when it cancels the upstream's request.
[[nodiscard]] constexpr std::string_view reason(CancelCause cause) {
  return cause == CancelCause::client_cancelled ? "the client cancelled the call"
                                                : "the client has gone";
}

/// A call that a service has begun and not answered yet. Service::begin returns it; the connection
/// keeps it until the call is answered or cancelled.
class OpenCall {
 public:
  OpenCall() = default;
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;
  virtual ~OpenCall() = default;

  /// Called by the connection, at most once. The service sends no reply after it.
  virtual void cancel(CancelCause cause) = 0;
};

/// A flag that tells the handler of a call that the call was cancelled. May be read by any thread.
class Cancellation final : public OpenCall {
 public:
  void cancel(CancelCause /*cause*/) override { cancel(); }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_ = false;
};

/// What a connection keeps from call to call.
struct ConnectionState {
  std::string principal;       ///< of the client
  std::string client_address;  ///< of its last request over HTTP, for logs
  /// net::Peer::network of its last request over HTTP, for shares; nullopt: over stdio.
  std::optional<std::string> client_network;
  std::optional<std::string> contract;  ///< that the client chose with capability-negotiate
};

/// The connection that a call came from: its answer and notifications go back through it. Messages
/// for a call that is not open any more are dropped.
class ClientChannel {
 public:
  virtual ~ClientChannel() = default;
  virtual void reply(mcp::CallKey call, mcp::Reply reply) = 0;
  virtual void progress(mcp::CallKey call, const mcp::Progress& progress) = 0;
  virtual void log(mcp::CallKey call, const mcp::LogMessage& message) = 0;
  /// Over HTTP in the session era: closes the event stream of a call before the answer; the client
  /// resumes it later. Elsewhere it does nothing.
  virtual void close_stream(mcp::CallKey call) = 0;
  virtual void list_changed(mcp::ListKind kind) = 0;
  virtual void resource_updated(std::string_view uri) = 0;

  /// Sends a notification unchanged. Without a call it reaches only clients with a session:
  /// stateless clients receive notifications only within a call.
  virtual void notify(std::optional<mcp::CallKey> call, std::string_view method,
                      json::View params) = 0;
  /// Sends a request to a client with a session. Service::on_client_response follows once, at the
  /// latest after ServerConfig::ask_timeout, but not after withdraw() or on_closed().
  [[nodiscard]] virtual Result<mcp::ServerRequestKey> request_input(
      std::optional<mcp::CallKey> about, const mcp::InputRequest& request) = 0;
  /// Tells the client that it need not answer the request any more.
  virtual void withdraw(mcp::ServerRequestKey request, std::string_view reason) = 0;

  [[nodiscard]] ConnectionState& state() { return state_; }

 private:
  ConnectionState state_;
};

class Service {
 public:
  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service() = default;

  /// Name, versions and capabilities that each new connection reports.
  [[nodiscard]] virtual const std::shared_ptr<const mcp::ServerConfig>& config() const = 0;
  [[nodiscard]] virtual const Settings& settings() const = 0;
  [[nodiscard]] virtual Host& host() const = 0;
  /// Begins a call. The connection keeps the returned object until the call is answered, and
  /// cancels it when the client cancels or disconnects; nullptr: answered already, or cannot be
  /// cancelled. After the reply InputRequired a session begins the call again under the same key.
  [[nodiscard]] virtual std::shared_ptr<OpenCall> begin(
      mcp::Call&& call, const std::shared_ptr<ClientChannel>& channel) = 0;

  /// The principal of an HTTP request with this API key (nullopt: without one). Returns nullopt if
  /// the request must be refused. By default every request has the principal of the settings.
  [[nodiscard]] virtual std::optional<std::string> identify(
      std::optional<std::string_view> /*key*/) const {
    return settings().principal;
  }

  /// Called with the first message of a stdio connection, before any message is handled. The
  /// service calls `done` when it is ready, now or later. If it passes a refusal, every request
  /// received until then is answered with that error, and the next message counts as the first.
  using OnStarted = net::Callback<void(const std::optional<mcp::RpcError>& refusal)>;
  virtual void on_first_message(std::string_view /*first_message*/, OnStarted done) {
    done(std::nullopt);
  }

  // Other events of a connection; a service that only answers calls ignores them.
  /// A session exists from `started` on, and may send and receive everything from `ready` on.
  virtual void on_session(ClientChannel& /*channel*/,
                          const std::shared_ptr<const mcp::Caller>& /*caller*/,
                          SessionStage /*stage*/) {}
  /// The client has sent logging/setLevel, which the connection answers.
  virtual void on_log_level(ClientChannel& /*channel*/, mcp::LogLevel /*level*/) {}
  /// A stateless client subscribes to notifications. The returned object is cancelled when the
  /// client cancels the subscription or the connection ends; nullptr: nothing is to be undone then.
  [[nodiscard]] virtual std::shared_ptr<OpenCall> on_listen(
      ClientChannel& /*channel*/, const mcp::SubscriptionOpened& /*subscription*/) {
    return nullptr;
  }
  /// The client's answer to ClientChannel::request_input, or the error why there is none.
  virtual void on_client_response(ClientChannel& /*channel*/, mcp::ServerRequestKey /*request*/,
                                  const mcp::ResultOrError& /*outcome*/) {}
  /// A notification that the connection does not handle itself.
  virtual void on_notification(ClientChannel& /*channel*/,
                               const mcp::Notification& /*notification*/) {}
  /// The connection has ended: nothing can be sent through the channel any more.
  virtual void on_closed(ClientChannel& /*channel*/) {}

  /// A Connection joins when it is created and leaves when it is destroyed. In between it is told
  /// of changed lists and updated resources.
  void join(ClientChannel& channel) { channels_.insert(&channel); }
  void leave(ClientChannel& channel) { channels_.erase(&channel); }
  void list_changed(mcp::ListKind kind) {
    for_each_channel([kind](ClientChannel& channel) { channel.list_changed(kind); });
  }
  void resource_updated(std::string_view uri) {
    for_each_channel([uri](ClientChannel& channel) { channel.resource_updated(uri); });
  }

 private:
  // `use` may make channels leave. So this walks over a copy and skips those that have left.
  template <class Use>
  void for_each_channel(const Use& use) {
    const std::set<ClientChannel*> all = channels_;
    for (ClientChannel* channel : all) {
      if (channels_.contains(channel)) use(*channel);
    }
  }
  std::set<ClientChannel*> channels_;  ///< that have joined
};

/// Runs `work`, which may wait for a disk or a network, on a worker thread, and then `then` with
/// the result of `work` on the serving thread. `then` is also destroyed there, so it may hold
/// objects of that thread. False: too many jobs wait already, and neither runs.
template <class Work, class Then>
[[nodiscard]] bool on_worker(Host& host, Work work, Then then) {
  return host.work([&host, work = std::move(work), then = std::move(then)]() mutable {
    if constexpr (std::is_void_v<std::invoke_result_t<Work&>>) {
      work();
      host.post([then = std::move(then)]() mutable { then(); });
    } else {
      host.post([then = std::move(then), result = work()]() mutable { then(std::move(result)); });
    }
  });
}

}  // namespace enfold::serve
