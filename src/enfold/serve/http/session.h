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
  net::HeaderLines json_headers = {};  ///< of a response with a JSON body
  bool primes = false;  ///< streams begin with an empty event that has an id (from 2025-11-25)
};

/// One POST and its response: one JSON body, or an event stream.
class HttpExchange {
 public:
  /// `log` null: the stateless era, without event ids. `started`: when the POST arrived.
  HttpExchange(net::Responder responder, StreamLog* log, mcp::era_2025::StreamKey key,
               mcp::Time started = {})
      : responder_(std::move(responder)), log_(log), key_(key), started_(started) {}

  /// Sends a message of a call in this POST: as JSON body if it is the only one, else as an event.
  /// True: it was the last message, and the response is complete.
  bool send(const mcp::Send& send);
  /// One of the requests in the POST was cancelled and gets no answer. After the last one the
  /// stream ends.
  void withdraw();
  void open_stream();
  /// Ends the stream before the answer; the client resumes it later. Nothing in the stateless era.
  void close_stream();
  /// The client has resumed the stream: events continue on `body`.
  void resume(net::BodyWriter body);
  void keep_alive();  ///< sends a comment on an open stream
  /// `answers`: the number of requests in the POST.
  void expect(std::size_t answers) { expected_ = answers; }

  [[nodiscard]] bool is_finished() const { return expected_ == 0; }
  [[nodiscard]] bool is_streaming() const { return streams_; }
  [[nodiscard]] mcp::era_2025::StreamKey key() const { return key_; }
  [[nodiscard]] mcp::Time started() const { return started_; }
  [[nodiscard]] const net::Peer& peer() const { return responder_.peer(); }
  /// `task` runs when the client disconnects before the answer.
  void on_close(net::Task task) { on_close_ = std::move(task); }
  /// Lets the `on_close` task run also if the client disconnects before a stream is open. Without
  /// this call the task runs only when an open stream closes.
  void watch_close();

 private:
  void respond(const mcp::Send& send);
  void write_event(const json::Output& message);
  void end_stream();

  net::Responder responder_;
  StreamLog* log_;                ///< null: stateless era
  mcp::era_2025::StreamKey key_;  ///< of the response's stream in `log_`
  mcp::Time started_;             ///< when the POST arrived
  net::BodyWriter body_;          ///< not open: no stream, or the client has lost it
  net::Task on_close_;
  std::size_t expected_ = 1;  ///< answers still to send; more than one for a batch
  bool streams_ = false;      ///< the response is an event stream
};

/// The head of an event stream. `session`: sent as MCP-Session-Id; empty: no such header.
[[nodiscard]] net::HttpResponse stream_head(std::string_view session = {});
[[nodiscard]] net::HttpResponse json_response(int status, std::string body);
/// The headers of a response with a JSON body. `session`: as for stream_head().
[[nodiscard]] net::HeaderLines json_headers(std::string_view session = {});

/// A session over HTTP: its connection, the responses to its open POSTs, and its GET stream.
class HttpSession final : private Sink {
 public:
  HttpSession(Service& service, std::string id, const std::string& principal);
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;
  ~HttpSession();

  /// Handles the messages of a POST and answers it, now or later.
  void post(mcp::SessionPost post, net::Responder responder);
  /// A GET: resumes the stream of Last-Event-ID if `log_` has it, else opens `standalone_`.
  void open_stream(const mcp::SessionStream& asked, net::Responder responder);
  /// Ends the stream that belongs to no call (GET).
  void end_standalone();
  void keep_alive();  ///< sends a comment on every open stream

  [[nodiscard]] const std::string& principal() const { return connection_->state().principal; }
  /// Whether `initialize` has succeeded.
  [[nodiscard]] bool is_open() const { return connection_->peer().has_session(); }
  /// Whether a call is open or the client has an open GET stream.
  [[nodiscard]] bool is_busy() const { return !exchanges_.empty() || listens_; }
  /// Sets a function that is called whenever is_busy() may have changed; for a POST once, when its
  /// messages have been handled. Empty: none.
  void on_activity(std::function<void()> changed) { on_activity_ = std::move(changed); }
  [[nodiscard]] mcp::Time last_used() const { return last_used_; }
  /// Whether the client has closed its GET stream and has not opened it again.
  [[nodiscard]] bool has_lost_stream() const { return had_standalone_ && !listens_; }
  void touch(mcp::Time now) { last_used_ = now; }  ///< the session is being used

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
  /// Calls on_activity_, but not while a POST is handled: post() reports at its end.
  void report_activity();
  /// After this wait, opens the streams of calls that have run for kStreamAfter.
  void stream_after(mcp::Time wait);
  void open_late_streams();

  Host& host_;
  StreamLog log_{.events =
                     mcp::era_2025::EventLog({.events = 128, .bytes = std::size_t{256} << 10})};
  std::shared_ptr<Connection> connection_;
  Exchanges exchanges_;                    ///< of the open calls; those of a batch share one
  std::shared_ptr<HttpExchange> current_;  ///< of the POST whose messages are being handled
  std::unique_ptr<Alarm> alarm_;           ///< opens the streams of slow calls
  net::BodyWriter standalone_;             ///< the GET stream, which belongs to no call
  bool listens_ = false;                   ///< `standalone_` is open
  bool had_standalone_ = false;    ///< the GET stream was opened once: `log_` keeps its events
  std::uint64_t last_stream_ = 0;  ///< the last StreamKey that was given to a call
  mcp::Time last_used_{0};         ///< by touch(), or when the GET stream opened or closed
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
