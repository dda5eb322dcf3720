// SPDX-License-Identifier: Apache-2.0
// The objects that answer HTTP requests: a session with its event streams, or one request of the
// stateless era.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/mcp/era_2025/event_log.h"
#include "enfold/mcp/peer/server_action.h"
#include "enfold/mcp/wire/http.h"
#include "enfold/net/http/server.h"
#include "enfold/serve/connection.h"

namespace enfold::serve {

/// What the responses of a session share: their header lines, and the last events of its streams,
/// so that a client can resume a lost stream.
struct StreamLog {
  mcp::era_2025::EventLog events;
  std::string session;                 ///< MCP-Session-Id
  net::HeaderLines json_headers = {};  ///< headers of a JSON body
  bool primes = false;  ///< streams begin with an empty event that has an id (from 2025-11-25)
};

/// One POST and its response: one JSON body, or an event stream.
class HttpExchange {
 public:
  /// `log` null: the stateless era, without event ids. `started`: when the POST arrived.
  HttpExchange(net::Responder responder, StreamLog* log, mcp::era_2025::StreamKey key,
               mcp::Time started = {})
      : responder_(std::move(responder)), log_(log), key_(key), started_(started) {}

  /// Sends a JSON body if it is the only message, else an event. True: it was the last message.
  bool send(const mcp::Send& send);
  /// One of the requests in the POST was cancelled and gets no answer. After the last one the
  /// stream ends.
  void withdraw();
  /// Opens the event stream if it is not open.
  void open_stream();
  /// Ends the stream before the answer; the client resumes it later. Nothing in the stateless era.
  void close_stream();
  /// The client has resumed the stream: events continue on `body`.
  void resume(net::BodyWriter body);
  void keep_alive();
  /// `answers`: the number of requests in the POST.
  void expect(std::size_t answers) { expected_ = answers; }

  [[nodiscard]] bool is_finished() const { return expected_ == 0; }
  [[nodiscard]] bool is_streaming() const { return streams_; }
  [[nodiscard]] mcp::era_2025::StreamKey key() const { return key_; }
  [[nodiscard]] mcp::Time started() const { return started_; }
  [[nodiscard]] const net::Peer& peer() const { return responder_.peer(); }
  /// `task` runs when the client disconnects before the answer.
  void on_close(net::Task task) { on_close_ = std::move(task); }
  /// Lets the `on_close` task run even if no stream is open; else it runs only for a stream.
  void watch_close();

 private:
  void respond(const mcp::Send& send);
  void write_event(const json::Output& message);
  void end_stream();

  net::Responder responder_;
  StreamLog* log_;
  mcp::era_2025::StreamKey key_;
  mcp::Time started_;
  net::BodyWriter body_;
  net::Task on_close_;
  std::size_t expected_ = 1;  ///< answers still to send; more than one for a batch
  bool streams_ = false;      ///< the response is an event stream
};

/// The head of an event stream.
[[nodiscard]] net::HttpResponse stream_head(std::string_view session = {});
[[nodiscard]] net::HttpResponse json_response(int status, std::string body);
/// The headers of a JSON body.
[[nodiscard]] net::HeaderLines json_headers(std::string_view session = {});

class HttpSession final : private Sink {
 public:
  HttpSession(Service& service, std::string id, const std::string& principal);
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;
  ~HttpSession();

  void post(mcp::SessionPost post, net::Responder responder);
  /// A GET: resumes the stream of Last-Event-ID if `log_` has it, else opens `standalone_`.
  void open_stream(const mcp::SessionStream& asked, net::Responder responder);
  /// Ends the stream that belongs to no call (GET).
  void end_standalone();
  void keep_alive();

  [[nodiscard]] const std::string& principal() const { return connection_->state().principal; }
  /// Whether `initialize` has succeeded.
  [[nodiscard]] bool is_open() const { return connection_->peer().has_session(); }
  /// Whether a call is open or the client has an open GET stream.
  [[nodiscard]] bool is_busy() const { return !exchanges_.empty() || listens_; }
  /// Called whenever is_busy() may have changed, but once for all that a POST does at once.
  void on_activity(std::function<void()> changed) { on_activity_ = std::move(changed); }
  [[nodiscard]] mcp::Time last_used() const { return last_used_; }
  /// Whether the client has closed its GET stream and has not opened it again.
  [[nodiscard]] bool has_lost_stream() const { return had_standalone_ && !listens_; }
  void touch(mcp::Time now) { last_used_ = now; }

 private:
  /// A vector, because there are few.
  using Exchanges = std::vector<std::pair<mcp::CallKey, std::shared_ptr<HttpExchange>>>;

  [[nodiscard]] Exchanges::iterator find(mcp::CallKey call);
  void send(mcp::Send send) override;
  void on_call(mcp::CallKey call) override;
  void on_cancelled(mcp::CallKey call) override;
  void close_stream(mcp::CallKey call) override;
  void resume(const mcp::era_2025::EventLog::Replay& replay, net::BodyWriter body);
  void listen_on(net::BodyWriter body);
  void set_listening(bool listens);
  void report_activity();
  /// After this wait, opens the streams of calls that have run for kStreamAfter.
  void stream_after(mcp::Time wait);
  void open_late_streams();

  Host& host_;
  StreamLog log_{.events =
                     mcp::era_2025::EventLog({.events = 128, .bytes = std::size_t{256} << 10})};
  std::shared_ptr<Connection> connection_;
  Exchanges exchanges_;
  std::shared_ptr<HttpExchange> current_;  ///< of the POST whose messages are being handled
  std::unique_ptr<Alarm> alarm_;           ///< opens the streams of slow calls
  net::BodyWriter standalone_;             ///< the stream that belongs to no call
  bool listens_ = false;                   ///< `standalone_` is open
  bool had_standalone_ = false;    ///< the client has opened it once: events are kept for it
  std::uint64_t last_stream_ = 0;  ///< the last StreamKey that was given to a call
  mcp::Time last_used_{0};
  std::function<void()> on_activity_;
  Lifetime alive_;  ///< guards the close callback of `standalone_`
};

/// One POST of the stateless era, from its message to the end of its answer.
class StatelessRequest final : private Sink {
 public:
  /// `on_done` is called once, when this object may be destroyed; never if start() returns true.
  StatelessRequest(Service& service, const std::string& principal, net::Responder responder,
                   net::Task on_done);
  StatelessRequest(const StatelessRequest&) = delete;
  StatelessRequest& operator=(const StatelessRequest&) = delete;
  ~StatelessRequest();

  /// True: the request is answered already, and the caller may destroy this object.
  [[nodiscard]] bool start(mcp::Message message, mcp::HeaderFields fields);
  [[nodiscard]] const std::string& principal() const { return connection_->state().principal; }
  void end_subscription() { connection_->end_subscriptions(); }
  void keep_alive() { exchange_.keep_alive(); }

 private:
  void send(mcp::Send send) override;
  void on_call(mcp::CallKey call) override { call_ = call; }
  void close_stream(mcp::CallKey /*call*/) override {}

  HttpExchange exchange_;
  std::shared_ptr<Connection> connection_;
  std::optional<mcp::CallKey> call_;  ///< nullopt: no call or answer has come from the message yet
  net::Task on_done_;
  bool starting_ = true;  ///< start() has not returned
};

}  // namespace enfold::serve
