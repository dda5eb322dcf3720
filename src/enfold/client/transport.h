// SPDX-License-Identifier: Apache-2.0
// Moves messages between a client and one server: over the pipes of a child, or over HTTP. A
// transport handles bytes and streams; mcp::ClientPeer handles the protocol.
#pragma once

#include "enfold/client/options.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::client {

/// An HTTP response whose status is not a success.
struct Refusal {
  int status = 0;
  std::string body;                                 ///< at most its first 64 KiB
  std::string location;                             ///< the header Location; empty: none
  std::optional<std::chrono::seconds> retry_after;  ///< the header Retry-After
  bool was_accepted = false;  ///< the server accepted the call, and refused to resume its stream
};

/// Receives the reports of a transport. They come from the loop, never inside a call to the
/// transport. Inside a report the transport may be closed, but not destroyed.
class TransportOwner {
 public:
  virtual ~TransportOwner() = default;
  /// `about`: over HTTP, the call on whose stream the message came; nullopt: it came on the
  /// standalone stream, or from a child.
  virtual void on_message(std::string_view bytes, std::optional<mcp::CallKey> about) = 0;
  virtual void on_session(std::string id) = 0;  ///< the id of a new session
  /// The server refused a call; nullopt: a message that needs no answer.
  virtual void on_refused(std::optional<mcp::CallKey> call, const Refusal& refusal) = 0;
  /// The stream of a call has ended, before or after the answer. If `last_event_id` is empty,
  /// it cannot be resumed. `retry`: the wait before it is resumed; nullopt: the server named none.
  virtual void on_stream_end(mcp::CallKey call, std::string_view last_event_id,
                             std::optional<std::chrono::milliseconds> retry) = 0;
  /// The call got no answer, or an unreadable one.
  virtual void on_undelivered(mcp::CallKey call, const Error& error) = 0;
  virtual void on_noise(const Error& error) = 0;  ///< a message that cannot be used
  /// A message is longer than the limit. on_oversize() gets its first bytes; on_skipped() gets its
  /// last bytes, when it has ended.
  virtual void on_oversize(const Error& error, std::string_view beginning) = 0;
  virtual void on_skipped(std::string_view end) = 0;
  /// A line of the standard error of a child, unless the child writes to that of this program.
  virtual void on_error_line(std::string_view line) = 0;
  /// The transport has ended: no report follows, and nothing can be sent.
  virtual void on_lost(const Error& error) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual Status start() = 0;  ///< starts the child; does nothing over HTTP
  /// `limit_exceeded` if too much output waits because a child does not read.
  [[nodiscard]] virtual Status send(mcp::Transmit message) = 0;
  /// Whether the server may have received the call. False while it waits for a connection.
  [[nodiscard]] virtual bool is_sent(mcp::CallKey /*call*/) const { return true; }
  /// Whether a cancelled call may keep its connection until its answer comes. If not, the
  /// connection is closed.
  [[nodiscard]] virtual bool may_keep_cancelled_calls() const { return true; }
  /// A child: reads nothing and reports no further line until release(). Does nothing over HTTP.
  virtual void hold() {}
  virtual void release() {}
  /// HTTP: the call has ended: closes its stream; nothing more is reported about it.
  virtual void forget(mcp::CallKey /*call*/) {}
  /// HTTP, session era: resumes the broken stream of a call.
  virtual void resume(const mcp::Resume& /*resume*/, std::vector<mcp::Header> /*headers*/) {}
  /// HTTP, session era: opens the stream that belongs to no call.
  virtual void listen(std::vector<mcp::Header> /*headers*/) {}
  /// Ends gracefully and in bounded time, then calls `done`; no other report follows. `headers`:
  /// those of the session that ends; none if there is no session.
  virtual void close(std::vector<mcp::Header> headers, net::Task done) = 0;
  /// While closing: sends SIGTERM to a child without waiting for its exit.
  virtual void terminate() {}
};

[[nodiscard]] std::unique_ptr<Transport> make_transport(net::Loop& loop, const StdioTarget& target,
                                                        const ClientOptions& options,
                                                        TransportOwner& owner);
[[nodiscard]] std::unique_ptr<Transport> make_transport(net::Loop& loop, const HttpTarget& target,
                                                        const ClientOptions& options,
                                                        TransportOwner& owner);

}  // namespace enfold::client
