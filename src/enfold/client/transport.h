// SPDX-License-Identifier: Apache-2.0
// Moves messages between a client and one server: over the pipes of a child, or over HTTP. A
// transport knows bytes and streams; mcp::ClientPeer knows what they mean.
#pragma once

#include "enfold/client/options.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::client {

/// An HTTP answer whose status is no success.
struct Refusal {
  int status = 0;
  std::string body;  ///< its beginning, when it is long
  std::string location;
  std::optional<std::chrono::seconds> retry_after;
  bool was_accepted = false;  ///< the request was; it is its answer that cannot be got any more
};

/// Gets the reports of a transport. They come from the loop, never inside a call to the transport.
/// Inside a report the transport may be closed, but not destroyed.
class TransportOwner {
 public:
  virtual ~TransportOwner() = default;
  /// `about`: the call on whose stream it came.
  virtual void on_message(std::string_view bytes, std::optional<mcp::CallKey> about) = 0;
  virtual void on_session(std::string id) = 0;
  /// No call: a message that wants no answer was refused.
  virtual void on_refused(std::optional<mcp::CallKey> call, const Refusal& refusal) = 0;
  virtual void on_stream_end(mcp::CallKey call, std::string_view last_event_id,
                             std::optional<std::chrono::milliseconds> retry) = 0;
  /// The call got no answer, or one that cannot be read.
  virtual void on_undelivered(mcp::CallKey call, const Error& error) = 0;
  virtual void on_noise(const Error& error) = 0;
  /// A message was longer than the limit, first with what came of it, then with its last bytes.
  virtual void on_oversize(const Error& error, std::string_view beginning) = 0;
  virtual void on_skipped(std::string_view end) = 0;
  virtual void on_error_line(std::string_view line) = 0;
  /// Nothing comes any more, and nothing can be sent.
  virtual void on_lost(const Error& error) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual Status start() = 0;
  /// `limit_exceeded` when the server does not take what it was sent.
  [[nodiscard]] virtual Status send(mcp::Transmit message) = 0;
  /// The call has ended: its stream, if it has one, is closed.
  virtual void forget(mcp::CallKey call) = 0;
  /// Sessions over HTTP: take up a broken stream; open the one that belongs to no call.
  virtual void resume(const mcp::Resume& resume, std::vector<mcp::Header> headers) = 0;
  virtual void listen(std::vector<mcp::Header> headers) = 0;
  /// Ends in good order and in bounded time, then calls `done`; no other report comes any more.
  virtual void close(std::vector<mcp::Header> headers, net::Task done) = 0;
  /// While it closes: without waiting for what might end by itself.
  virtual void hurry() {}
};

[[nodiscard]] std::unique_ptr<Transport> make_transport(net::Loop& loop, const Target& target,
                                                        const ClientOptions& options,
                                                        TransportOwner& owner);

}  // namespace enfold::client
