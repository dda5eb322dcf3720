// SPDX-License-Identifier: Apache-2.0
// One connection to a server: a transport (the bytes) and a peer (the protocol). A broken
// connection is not repaired; the Client makes another.
#pragma once

#include "enfold/client/client.h"
#include "enfold/client/detail/inbox.h"
#include "enfold/client/transport.h"
#include "enfold/mcp/peer/client_peer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace enfold::client::detail {

/// A request ended without a result: the server refused it, or no answer arrived.
struct FailureReport {
  mcp::CallKey call;
  CallFailure failure;
  /// The server no longer knows the session, so it did not handle the request: the request may be
  /// sent again in a new session.
  bool session_lost = false;
};
/// The connection has ended. Its calls have failed.
struct ConnectionEnd {
  Error error;
  bool transport_lost = false;  ///< the transport failed; false: the protocol did
  int http_status = 0;          ///< of the HTTP response that ended the connection; 0: none
  /// The Client makes no other connection, not even in another era or session.
  bool is_final = false;
};

/// What a connection reports to its client.
using Report = std::variant<mcp::ResultReport, FailureReport, mcp::ProgressReport,
                            mcp::SubscriptionAcknowledged, ConnectionEnd, Event>;

class Connection final : public std::enable_shared_from_this<Connection>, private TransportOwner {
 public:
  /// `on_report` is not called inside start().
  Connection(net::Loop& loop, const Target& target, const ClientOptions& options,
             ClientOptions::Eras eras, std::function<void(Report report)> on_report);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() override;

  [[nodiscard]] Status start();
  [[nodiscard]] Status call(mcp::CallKey call, mcp::CallOptions options);
  /// True: the call stays open, and its answer will still be reported (LateAnswer::report).
  bool cancel(mcp::CallKey call, std::string_view reason, mcp::LateAnswer late);
  void notify(std::string_view method, json::View params);
  /// Answers a request of the server, such as sampling or elicitation, with a result or an error.
  void answer(mcp::ServerRequestKey request, mcp::ResultOrError outcome);
  /// After this nothing is reported any more.
  void detach() {
    is_attached_ = false;
    inbox_.clear();
  }
  /// Detaches, ends gracefully and in bounded time, then calls `done`. A second call
  /// terminates the process of a stdio server at once; only the first `done` is called.
  void close(net::Task done);
  /// The session has expired: ConnectionEnd follows, and a call sent now would get no answer.
  [[nodiscard]] bool is_session_over() const { return peer_.is_session_over(); }

 private:
  /// Keeps the connection alive while one of its functions runs, because a report may release it.
  class Entry;
  /// An answer that is longer than the limit and whose beginning has no id: the id may stand at its
  /// end.
  struct LostAnswer {
    Error error;
    std::vector<mcp::CallKey> candidates;  ///< the calls that were open when it began to arrive
  };

  // TransportOwner; client/transport.h says when each is called.
  void on_message(std::string_view bytes, std::optional<mcp::CallKey> about) override;
  void on_session(std::string id) override;
  void on_refused(std::optional<mcp::CallKey> call, const Refusal& refusal) override;
  void on_stream_end(mcp::CallKey call, std::string_view last_event_id,
                     std::optional<std::chrono::milliseconds> retry) override;
  void on_undelivered(mcp::CallKey call, const Error& error) override;
  void on_noise(const Error& error) override;
  void on_oversize(const Error& error, std::string_view beginning) override;
  void on_skipped(std::string_view end) override;
  void on_error_line(std::string_view line) override;
  void on_lost(const Error& error) override;

  void perform(mcp::ClientActions actions);
  void report(Report report);
  void transmit(mcp::Transmit message);
  /// Counts a message that could not be used; keeps the beginning of the first.
  void count_noise(std::string_view bytes);
  void fail_call(mcp::CallKey call, CallFailure failure);
  /// The error with advice that follows from `refusal_` and from noise.
  [[nodiscard]] Error with_hints(Error error) const;
  /// The call that an answer belongs to, of which only a part can be read; nullopt: not certain.
  [[nodiscard]] std::optional<mcp::CallKey> call_of(const mcp::CutMessage& seen) const;

  net::Loop& loop_;
  Target target_;
  ClientOptions options_;
  std::function<void(Report report)> on_report_;
  bool is_attached_ = true;  ///< false: nothing is reported any more
  mcp::ClientPeer peer_;
  Inbox inbox_;
  std::unique_ptr<Transport> transport_;
  net::Timer timer_;                          ///< for the next deadline of `peer_`
  std::optional<Error> loss_;                 ///< why the transport failed; set while its calls end
  std::optional<Refusal> refusal_;            ///< an HTTP refusal, while the peer handles it
  std::optional<mcp::CallKey> refused_call_;  ///< the call of `refusal_`; nullopt: a notification
  std::optional<LostAnswer> lost_answer_;     ///< until its end has arrived; nullopt: there is none
  std::size_t noise_count_ = 0;    ///< messages that could not be used, for the hint of an error
  std::string first_noise_;        ///< the beginning of the first of them
  bool closing_ = false;           ///< close() was called
  bool is_deadline_late_ = false;  ///< the peer is told when the inbox has been handled
};

}  // namespace enfold::client::detail
