// SPDX-License-Identifier: Apache-2.0
// An HTTP/1.1 server on a loop: keep-alive, pipelining, chunked bodies, streamed answers (SSE),
// TLS, and a limit on everything that a peer decides. Loopback, Host and Origin checks are the
// default.
//
// The handler gets a whole request and a Responder. It may answer at once, or keep the Responder
// and answer later, always on the loop's thread. One connection has one request in hand at a time;
// pipelined ones wait in the socket.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/http/host_policy.h"
#include "enfold/net/http/message.h"
#include "enfold/net/loop.h"
#include "enfold/net/tls.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::net {

namespace detail {
class ServerCore;
class ServerConnection;
}  // namespace detail

struct ServerLimits {
  HttpLimits message;
  std::size_t max_connections = 10'000;
  std::size_t max_streams = 8'192;
  /// Of all bodies together that are not yet whole.
  std::size_t max_unfinished_body_bytes = std::size_t{256} << 20;
  /// From here on a stream says full, and pipelined requests wait.
  std::size_t high_water_bytes = std::size_t{256} << 10;
  /// A stream with more queued output than this is closed: its client does not read.
  std::size_t max_stream_queue_bytes = std::size_t{4} << 20;

  Duration head_timeout = std::chrono::seconds(10);       ///< from its first byte to its last
  Duration stall_timeout = std::chrono::seconds(30);      ///< without least_progress_bytes
  Duration idle_timeout = std::chrono::seconds(75);       ///< between requests
  Duration linger_timeout = std::chrono::seconds(5);      ///< for a client to read a refusal
  Duration drain_grace = std::chrono::milliseconds(500);  ///< for a last request, when draining
  /// Bytes of a body or an answer that restart stall_timeout.
  std::size_t least_progress_bytes = std::size_t{16} << 10;
};

struct ServerStats {
  std::uint64_t accepted = 0;
  std::uint64_t rejected_connections = 0;  ///< connections beyond the limit
  std::uint64_t requests = 0;              ///< given to the handler
  std::uint64_t refused = 0;               ///< answered with 4xx or 5xx by the server itself
  std::uint64_t timed_out = 0;
  std::uint64_t slow_readers = 0;  ///< closed because they did not read
  std::size_t connections = 0;
  std::size_t streams = 0;
  std::size_t unfinished_body_bytes = 0;
};

/// Whether a stream can take more. `full`: wait for on_drain().
enum class Flow { open, full, closed };

/// The body of an answer that is sent in pieces. Destroying it without end() closes the connection,
/// so that the client sees an incomplete body.
class BodyWriter {
 public:
  BodyWriter() = default;
  BodyWriter(BodyWriter&&) noexcept = default;
  BodyWriter& operator=(BodyWriter&& other) noexcept;
  ~BodyWriter();

  /// All that is written in one turn leaves together. `full`: better wait for on_drain().
  Flow write(std::string_view bytes);
  void end();
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] std::size_t queued() const;
  void on_drain(Task task);  ///< the client has taken enough after `full`
  void on_close(Task task);  ///< the client went away, or was too slow; not after end()

 private:
  friend class Responder;
  BodyWriter(std::shared_ptr<detail::ServerCore> core, std::uint32_t slot, std::uint64_t exchange);
  [[nodiscard]] detail::ServerConnection* connection() const;
  std::shared_ptr<detail::ServerCore> core_;
  std::uint32_t slot_ = 0;
  std::uint64_t exchange_ = 0;
};

/// Answers one request, once. Destroying it without an answer sends 500.
class Responder {
 public:
  Responder() = default;
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  void respond(HttpResponse response);
  /// The same from parts that stay with the caller.
  void respond(int status, const HeaderLines& headers, std::string_view body);
  /// Sends the head now, chunked; `head.body` is the first piece.
  [[nodiscard]] BodyWriter stream(const HttpResponse& head);
  /// Whether anybody still waits.
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] std::string peer() const;  ///< "127.0.0.1:50112", for logs; empty when gone
  void on_close(Task task);                ///< the client went away before the answer

 private:
  friend class detail::ServerConnection;
  Responder(std::shared_ptr<detail::ServerCore> core, std::uint32_t slot, std::uint64_t exchange);
  [[nodiscard]] detail::ServerConnection* connection() const;
  std::shared_ptr<detail::ServerCore> core_;
  std::uint32_t slot_ = 0;
  std::uint64_t exchange_ = 0;
};

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;   ///< 0: the system chooses
  bool share_port = false;  ///< several loops, each with a server, on one port
  HostPolicy policy;
  ServerLimits limits;
  std::shared_ptr<TlsContext> tls;
  /// Checks a request before its body is read; an answer refuses it. May be empty.
  Callback<std::optional<HttpResponse>(const HttpHead& head)> check_head;
  /// Formats the body of a refusal by the server itself. Empty: plain text.
  Callback<void(HttpResponse& response, std::string_view message)> format_refusal;
};

class HttpServer {
 public:
  /// May take what it needs out of the request; what it leaves is used again.
  using Handler = Callback<void(HttpRequest& request, Responder responder)>;

  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> listen(Loop& loop,
                                                                  HttpServerOptions options,
                                                                  Handler handler);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();  ///< breaks off what is still going on

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] const ServerStats& stats() const;

  /// Connections that come from now on are secured by this; there must have been one before.
  void renew(std::shared_ptr<TlsContext> tls);

  /// Takes no new connections, answers every request that arrives on those it has, closes each
  /// after its answer, and calls `done`. What lasts longer than `at_most` is broken off.
  void drain(Duration at_most, Task done);

 private:
  explicit HttpServer(std::shared_ptr<detail::ServerCore> core);
  std::shared_ptr<detail::ServerCore> core_;
};

}  // namespace enfold::net
