// SPDX-License-Identifier: Apache-2.0
// One connection to a client, over any transport. The transport passes in the messages that it
// receives; the connection gives the messages to send to the transport's Sink. Over stdio there is
// one connection, over HTTP one for each session and one for each request of the stateless era.
#pragma once

#include "enfold/mcp/peer/server_peer.h"
#include "enfold/serve/service.h"

namespace enfold::serve {

/// The largest request: a line over stdio, a body over HTTP. A larger one is answered with an
/// error.
inline constexpr std::size_t kMaxRequestBytes = std::size_t{10} << 20;

/// The transport's side of a connection: it sends the messages.
class Sink {
 public:
  virtual void send(mcp::Send send) = 0;
  /// A call begins, or continues with the client's answers to questions. Its messages are sent
  /// after this. Not called for what the peer answers itself: initialize, subscriptions/listen …
  virtual void on_call(mcp::CallKey /*call*/) {}
  /// The client has cancelled a call: no message for it is sent after this.
  virtual void on_cancelled(mcp::CallKey /*call*/) {}
  /// The service wants the event stream of a call closed before the answer.
  virtual void close_stream(mcp::CallKey call) = 0;

 protected:
  ~Sink() = default;
};

class Connection final : public ClientChannel, public std::enable_shared_from_this<Connection> {
 public:
  /// `sink` must outlive the connection, or detach() must be called before it is destroyed.
  /// `principal` empty: Settings::principal.
  [[nodiscard]] static std::shared_ptr<Connection> open(Service& service, Sink& sink,
                                                        std::string principal = {});
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override;

  /// `fields`: the headers of a stateless request over HTTP, which are checked against the message.
  void receive(mcp::Message message, const std::optional<mcp::HeaderFields>& fields = std::nullopt);
  /// The bytes of one line over stdio.
  void receive_bytes(json::Buffer bytes, const Limits& limits = {});
  /// The headers of the HTTP request whose messages are received next. The calls in it get the
  /// trace context from them, and the headers that Settings::headers names.
  void set_headers(mcp::HeaderFields fields);
  /// The stream of a call was closed: this cancels the call in the stateless era.
  void stream_closed(mcp::CallKey call);
  /// Ends the open subscriptions with their final response.
  void end_subscriptions();
  /// Cancels all calls, then calls Service::on_closed, once; nothing is sent any more.
  void detach();

  [[nodiscard]] const mcp::ServerPeer& peer() const { return peer_; }
  [[nodiscard]] std::size_t open_calls() const { return peer_.open_calls(); }

  void reply(mcp::CallKey call, mcp::Reply reply) override;
  void progress(mcp::CallKey call, const mcp::Progress& progress) override;
  void log(mcp::CallKey call, const mcp::LogMessage& message) override;
  void close_stream(mcp::CallKey call) override;
  void list_changed(mcp::ListKind kind) override;
  void resource_updated(std::string_view uri) override;
  void notify(std::optional<mcp::CallKey> call, std::string_view method,
              json::View params) override;
  [[nodiscard]] Result<mcp::ServerRequestKey> request_input(
      std::optional<mcp::CallKey> about, const mcp::InputRequest& request) override;
  void withdraw(mcp::ServerRequestKey request, std::string_view reason) override;

 private:
  /// A vector, because there are few. nullptr: the service has returned no OpenCall (yet), so it is
  /// not told if the call is cancelled.
  using Running = std::vector<std::pair<mcp::CallKey, std::shared_ptr<OpenCall>>>;

  Connection(Service& service, Sink& sink, std::string principal);
  /// Performs actions of the peer in order; stops if one of them detaches the connection.
  void carry_out(mcp::ServerActions actions);
  void perform(mcp::ServerAction& action);
  void begin(mcp::Call&& call);
  [[nodiscard]] std::shared_ptr<OpenCall> begin_safely(mcp::Call&& call);
  /// Adds a call to `running_`, or replaces its OpenCall.
  void keep(mcp::CallKey call, std::shared_ptr<OpenCall> open);
  [[nodiscard]] Running::iterator find(mcp::CallKey call);
  /// Sets the alarm for the next deadline of the peer, unless it is set already.
  void watch_deadlines();

  Service& service_;
  Sink* sink_;  ///< nullptr: detached
  mcp::ServerPeer peer_;
  // As set_headers() has found them; empty: none.
  std::string traceparent_;
  std::string tracestate_;
  std::vector<std::pair<std::string, std::string>> headers_;  ///< names and values
  Running running_;               ///< calls without an answer, and subscriptions
  std::unique_ptr<Alarm> alarm_;  ///< for the next deadline of the peer; null: not set
};

}  // namespace enfold::serve
