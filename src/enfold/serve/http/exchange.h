// SPDX-License-Identifier: Apache-2.0
// The answer to one POST: a JSON body when the answer is all there is to say, an event stream as
// soon as something else comes before it.
#pragma once

#include "enfold/mcp/era_2025/event_log.h"
#include "enfold/mcp/peer/server_action.h"
#include "enfold/net/http/server.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::serve {

/// What the answers of a session share: their header lines, and the events of its streams, so that
/// a lost stream can be taken up again.
struct StreamLog {
  mcp::era_2025::EventLog events;
  std::string session;         ///< MCP-Session-Id
  net::HeaderLines json = {};  ///< of a JSON body
  bool primes = false;         ///< a first event with an id and nothing in it (2025-11-25)
};

class HttpExchange {
 public:
  /// `log` null: the stateless era, without event ids.
  HttpExchange(net::Responder responder, StreamLog* log, mcp::era_2025::StreamKey key,
               mcp::Time started = {})
      : responder_(std::move(responder)), log_(log), key_(key), started_(started) {}

  /// True: it was the last.
  bool send(const mcp::Send& send);
  /// One of its requests gets no answer: whoever waits is told by the end of the stream.
  void withdraw();
  /// Opens the stream, if that was not done yet.
  void open_stream();
  /// Ends the stream before the answer; a session's client comes back for it.
  void close_stream();
  /// The client has come back.
  void take_up(net::BodyWriter body);
  void keep_alive();
  void expect(std::size_t answers) { expected_ = answers; }

  [[nodiscard]] bool is_finished() const { return expected_ == 0; }
  [[nodiscard]] bool is_streaming() const { return streams_; }
  [[nodiscard]] mcp::era_2025::StreamKey key() const { return key_; }
  [[nodiscard]] mcp::Time started() const { return started_; }
  /// Called when the client goes away before the answer.
  void on_close(net::Task task) { on_close_ = std::move(task); }
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
  std::size_t expected_ = 1;  ///< answers to come; more than one for a batch
  bool streams_ = false;
};

/// The head of an event stream.
[[nodiscard]] net::HttpResponse stream_head(std::string_view session = {});
[[nodiscard]] net::HttpResponse json_response(int status, std::string body);
/// Of a JSON body.
[[nodiscard]] net::HeaderLines json_headers(std::string_view session = {});

}  // namespace enfold::serve
