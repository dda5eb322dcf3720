// SPDX-License-Identifier: Apache-2.0
// An MCP client of both eras on an event loop. It connects, finds out which era the server speaks,
// keeps the table of open requests, and reports their results and the messages of the server. Any
// number of clients may share a loop; a client is used on the loop's thread only, and any callback
// may destroy it. `blocking.h` is the same for a program that waits for each result.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/client/options.h"
#include "enfold/mcp/peer/client_action.h"
#include "enfold/net/callback.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace enfold::client {

/// One line that a child wrote to its standard error.
struct ErrorLine {
  std::string text;
};
/// The server sent bytes that are not a valid message.
struct Noise {
  Error error;
};

/// Events that belong to no call. `Ready`: there is a connection, also after an expired session was
/// replaced. `Broken`: the connection has ended or could not be made; its requests have failed.
/// `ServerRequest` is answered with Client::answer, now or later.
using Event = std::variant<mcp::Ready, mcp::Broken, mcp::ServerRequest, mcp::ServerRequestWithdrawn,
                           mcp::LogReport, mcp::ListChanged, mcp::ResourceUpdated,
                           mcp::Notification, ErrorLine, Noise>;
/// If this function is empty, requests of the server are refused.
using OnEvent = std::function<void(Event event)>;

/// Why a request has no result. `error` is always set.
struct CallFailure {
  Error error;
  std::optional<mcp::RpcError> refusal;             ///< if the server answered with an error
  std::optional<std::chrono::seconds> retry_after;  ///< if the server named a time
  int http_status = 0;  ///< of the response that refused the request or the connection; 0: none
};
using CallResult = tl::expected<json::Value, CallFailure>;

struct CallEvents {
  net::Callback<void(CallResult result)> done;  ///< called once, unless the request is cancelled
  std::function<void(const mcp::ProgressReport& progressed)> on_progress;
  /// For subscriptions/listen: the notifications that the server will send.
  std::function<void(const mcp::SubscriptionFilter& filter)> on_acknowledged;
};

namespace detail {
class Connection;
class Requests;
struct FailureReport;
struct ConnectionEnd;
}  // namespace detail

class Client {
 public:
  using Connected = net::Callback<void(Result<mcp::ServerIdentity> server)>;

  Client(net::Loop& loop, Target target, ClientOptions options, OnEvent on_event = {});
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  /// Kills a child at once and drops open requests without a report. close() ends gracefully.
  ~Client();

  /// Starts the child, or connects to the URL, and makes the handshake. `done` is never called
  /// before this returns. May be called again after the connection broke; the era is remembered.
  void connect(Connected done);

  /// The options of a request, with the timeouts of the client; the caller may change them before
  /// request().
  [[nodiscard]] mcp::CallOptions prepare(std::string_view method, json::Value params = {}) const {
    mcp::CallOptions call;
    call.method = method;
    call.params = std::move(params);
    call.idle_timeout = std::chrono::duration_cast<mcp::Time>(options_.idle_timeout);
    call.call_timeout = std::chrono::duration_cast<mcp::Time>(options_.call_timeout);
    return call;
  }
  /// While the connection is being made the request waits for it. `done` is never called before
  /// this returns. If the server has lost the session, the request is sent once more in a new
  /// session. The returned key identifies the request; this client uses it only once.
  mcp::CallKey request(mcp::CallOptions options, CallEvents events);
  /// Cancels a request; ignores one that has ended. With LateAnswer::drop none of its callbacks is
  /// called after this, and the result is false. With LateAnswer::report the server is told, and
  /// `done` is still called with what it answers all the same, or with `cancelled` after one more
  /// idle timeout; the result is true. If that is not possible, because the request was not sent,
  /// ends with its stream, or must free its connection, nothing is done and the result is false.
  bool cancel(mcp::CallKey call, std::string_view reason,
              mcp::LateAnswer late = mcp::LateAnswer::drop);

  void notify(std::string_view method, json::View params);  ///< dropped unless is_ready()
  /// Replies to a request of the server (mcp::ServerRequest); dropped unless is_ready().
  void answer(mcp::ServerRequestKey key, mcp::ResultOrError outcome);

  /// Gives up the connection, or the attempt to make one, as if it had broken with this error. No
  /// other is made until connect() is called.
  void disconnect(const Error& why);
  /// Ends a session or a child gracefully, within the timeouts of the target. Open requests fail
  /// with `cancelled`. Called a second time it sends SIGTERM to the child at once.
  void close(net::Task done);

  [[nodiscard]] bool is_ready() const { return state_ == State::ready; }
  [[nodiscard]] bool is_connecting() const { return state_ == State::connecting; }
  [[nodiscard]] bool is_over_http() const { return std::holds_alternative<HttpTarget>(target_); }
  [[nodiscard]] const mcp::ServerIdentity& server() const { return server_; }  ///< once ready
  [[nodiscard]] std::size_t open_requests() const;
  [[nodiscard]] const ClientOptions& options() const { return options_; }
  [[nodiscard]] net::Loop& loop() const { return loop_; }

 private:
  enum class State { idle, connecting, ready, closed };

  /// Replaces the connection by a new one, which tries these eras.
  void open_connection(ClientOptions::Eras eras);
  /// Moves the connection, if there is one, to `retired_` and closes it.
  void retire_connection();
  /// Calls the callbacks of close() when all connections are closed.
  void report_closed();
  /// Sends an open request over the connection.
  void send(mcp::CallKey call);
  void fail_all(const Error& error, int http_status = 0);
  /// Calls the owner's OnEvent.
  void report(Event event);
  /// Handles an event of the connection, then reports it.
  void on_event(Event event);
  void on_call_failed(detail::FailureReport failed);
  /// Makes another connection where that may help, such as a new session; else the requests fail.
  void on_connection_end(const detail::ConnectionEnd& end);

  net::Loop& loop_;
  Target target_;
  ClientOptions options_;
  std::shared_ptr<const OnEvent> on_event_;
  State state_ = State::idle;
  std::optional<mcp::Era> known_era_;  ///< of the last connection, at first that of the options
  ClientOptions::Eras eras_ = ClientOptions::Eras::both;  ///< that the current connection tries
  mcp::ServerIdentity server_;
  Connected on_connected_;  ///< of connect(); empty when it was called
  std::unique_ptr<detail::Requests> requests_;
  std::shared_ptr<detail::Connection> connection_;
  std::vector<std::shared_ptr<detail::Connection>>
      retired_;                       ///< closing; destroyed when their transports have ended
  std::vector<net::Task> on_closed_;  ///< callbacks of close()
  Lifetime lifetime_;
};

}  // namespace enfold::client
