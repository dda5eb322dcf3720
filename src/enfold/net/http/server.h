// SPDX-License-Identifier: Apache-2.0
// An HTTP/1.1 server on a loop: keep-alive, pipelining, chunked bodies, streamed answers (SSE),
// TLS, and limits on everything that a client may send. Loopback, Host and Origin checks are the
// default.
//
// The handler gets a whole request and a Responder. It may answer at once, or keep the Responder
// and answer later, always on the loop's thread. A connection handles one request at a time;
// pipelined requests wait in the socket.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/http/message.h"
#include "enfold/net/listener.h"
#include "enfold/net/loop.h"
#include "enfold/net/tls.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::net {

/// Whether a peer with this Endpoint::host() is on this machine.
[[nodiscard]] inline bool is_on_this_machine(std::string_view host) {
  return host.starts_with("127.") || host == "::1" || host == "unix";
}

namespace detail {
class ServerCore;
class ServerConnection;
}  // namespace detail

/// The names that a server answers to (Host) and the web pages that may call it (Origin). A page of
/// a foreign site can make a browser send requests to loopback, and by DNS rebinding even with the
/// site's own host name; these checks prevent that.
struct HostPolicy {
  /// Names beside localhost, loopback addresses and HttpServerOptions::host, which are always
  /// allowed: "mcp.example.org" with any port, "mcp.example.org:8443" with this one, "*" for all.
  std::vector<std::string> hosts;
  /// Origins beside those on loopback: "https://app.example.org", "*" for every origin. A request
  /// without Origin does not come from a page and is not checked.
  std::vector<std::string> origins;
};

/// 400 for a missing (only HTTP/1.0 needs none) or malformed Host, 403 for one that is not allowed.
[[nodiscard]] std::optional<HttpFault> check_host(const HttpHead& head, const HostPolicy& policy);
/// 403 for an origin that is not allowed.
[[nodiscard]] std::optional<HttpFault> check_origin(const HttpHead& head, const HostPolicy& policy);

struct ServerLimits {
  HttpLimits message;
  /// For one more, the connection is closed that waits longest for its client: for a request or the
  /// rest of one. If none waits, the new one gets 503 and is closed; with TLS it is only closed.
  std::size_t max_connections = 10'000;
  std::size_t max_streams = 8'192;  ///< streamed answers at a time; more get 503
  /// Loopback addresses and Unix sockets may use more than their share of the connections
  /// (base/shares.h): they are local programs, or a proxy that forwards requests of many clients.
  bool trusts_loopback = true;
  /// Of all incomplete request bodies together; a request that needs more gets 503.
  std::size_t max_unfinished_body_bytes = std::size_t{256} << 20;
  /// Queued output from which a stream returns `full` and pipelined requests wait.
  std::size_t high_water_bytes = std::size_t{256} << 10;
  /// A stream with more queued output than this is closed: its client does not read.
  std::size_t max_stream_queue_bytes = std::size_t{4} << 20;

  /// From the first byte of a head to its end; for the first head from the opened connection.
  Duration head_timeout = std::chrono::seconds(10);
  Duration stall_timeout = std::chrono::seconds(30);  ///< for the next least_progress_bytes
  Duration idle_timeout = std::chrono::seconds(75);   ///< between requests
  Duration linger_timeout = std::chrono::seconds(5);  ///< for a client to read the last answer
  /// While draining: how long an idle connection is kept for a request that is already on its way.
  Duration drain_grace = std::chrono::milliseconds(500);
  /// Bytes of a body received, or of an answer sent, that restart stall_timeout.
  std::size_t least_progress_bytes = std::size_t{16} << 10;

  /// Whether connections and requests of this address are not limited to its share.
  [[nodiscard]] bool exempts(std::string_view host) const {
    return trusts_loopback && is_on_this_machine(host);
  }
};

struct ServerStats {
  std::uint64_t accepted = 0;
  std::uint64_t rejected_connections = 0;  ///< connections beyond the limit
  std::uint64_t requests = 0;              ///< given to the handler
  std::uint64_t refused = 0;               ///< as HttpServerOptions::on_refusal
  std::uint64_t evicted = 0;               ///< connections closed for a new one
  std::uint64_t timed_out = 0;             ///< requests that did not arrive in time
  std::uint64_t slow_readers = 0;          ///< connections closed because the client did not read
  std::size_t connections = 0;             ///< at present, like the members below
  std::size_t streams = 0;                 ///< streamed answers that have not ended
  std::size_t unfinished_body_bytes = 0;
};

/// Whether a stream takes more. `full`: queued, but wait for on_writable(). `closed`: dropped.
enum class Flow { open, full, closed };

/// The open request of a connection, if the connection still exists.
class ExchangeHandle {
 public:
  /// Whether the client still waits.
  [[nodiscard]] bool is_open() const { return connection() != nullptr; }
  /// Called once if the client stops sending or the connection closes before the end of the answer.
  void on_close(Task task);

 protected:
  ExchangeHandle() = default;
  ExchangeHandle(std::shared_ptr<detail::ServerCore> core, std::uint32_t slot,
                 std::uint64_t exchange)
      : core_(std::move(core)), slot_(slot), exchange_(exchange) {}
  ~ExchangeHandle() = default;
  ExchangeHandle(ExchangeHandle&&) noexcept = default;
  ExchangeHandle& operator=(ExchangeHandle&&) noexcept = default;
  [[nodiscard]] detail::ServerConnection* connection() const;  ///< nullptr: the request has ended
  /// Like connection(), and empties this handle, so that its destructor does nothing.
  [[nodiscard]] detail::ServerConnection* release();

  std::shared_ptr<detail::ServerCore> core_;  ///< null: the handle is empty
  std::uint32_t slot_ = 0;                    ///< of the connection in ServerCore
  std::uint64_t exchange_ = 0;                ///< id of the request, which no other request has
};

/// The body of an answer that is sent in pieces. Destroying it without end() closes the connection,
/// so that the client sees an incomplete body.
class BodyWriter : public ExchangeHandle {
 public:
  BodyWriter() = default;
  BodyWriter(BodyWriter&&) noexcept = default;
  BodyWriter& operator=(BodyWriter&& other) noexcept;
  ~BodyWriter() {
    if (core_) abandon();
  }

  /// All bytes that are written in one loop iteration leave together.
  Flow write(std::string_view bytes);
  void end();
  [[nodiscard]] std::size_t queued() const;
  /// Called each time after `full`, when less than half of high_water_bytes is queued.
  void on_writable(Task task);

 private:
  friend class Responder;
  void abandon();
  using ExchangeHandle::ExchangeHandle;
};

/// Where the requests of a connection come from.
struct Peer {
  std::string address;  ///< "127.0.0.1:50112", for logs
  std::string network;  ///< network_of() the address; connections and requests are counted by it
};

/// Answers one request, once, if its connection is open. Destroying it without an answer sends 500.
class Responder : public ExchangeHandle {
 public:
  Responder() = default;
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder() {
    if (core_) abandon();
  }

  void respond(HttpResponse response);
  /// The same for a refusal, which is counted and reported as those of check_head.
  void refuse(HttpResponse response);
  /// The same from parts that the caller keeps.
  void respond(int status, const HeaderLines& headers, std::string_view body);
  /// Sends the head; `head.body` is the first piece. The result is not open if the connection is
  /// closed, the request was HEAD, or max_streams are open (the client gets 503).
  [[nodiscard]] BodyWriter stream(const HttpResponse& head);
  /// Who asks; empty members without a request. Stays known after the connection has closed.
  [[nodiscard]] const Peer& peer() const {
    static const Peer unknown;
    return peer_ != nullptr ? *peer_ : unknown;
  }
  /// Destroys `until_end` when the answer is sent (a streamed answer: when it has ended), or the
  /// connection closes.
  void hold(std::shared_ptr<void> until_end);

 private:
  friend class detail::ServerConnection;
  Responder(std::shared_ptr<detail::ServerCore> core, std::uint32_t slot, std::uint64_t exchange,
            std::shared_ptr<const Peer> peer)
      : ExchangeHandle(std::move(core), slot, exchange), peer_(std::move(peer)) {}
  void abandon();

  std::shared_ptr<const Peer> peer_;  ///< null: there is no request
};

/// What is decided about a request before its body is read.
struct HeadCheck {
  HeadCheck(std::optional<HttpResponse> with = std::nullopt,
            std::size_t max_body = std::numeric_limits<std::size_t>::max())
      : refusal(std::move(with)), max_body_bytes(max_body) {}
  HeadCheck(HttpResponse with) : HeadCheck(std::optional(std::move(with))) {}

  std::optional<HttpResponse> refusal;  ///< nullopt: the request is accepted
  /// A longer body gets 413, even if HttpLimits::max_body_bytes is more.
  std::size_t max_body_bytes;
};

struct HttpServerOptions {
  std::string host = "127.0.0.1";  ///< as for Listener::open
  std::uint16_t port = 0;          ///< 0: the system chooses
  Listener listener;               ///< listens on host and port; empty: one is opened
  HostPolicy policy;
  ServerLimits limits;
  std::shared_ptr<TlsContext> tls;  ///< null: HTTP without TLS
  /// Called before a body is read. May be empty.
  Callback<HeadCheck(const HttpHead& head, const Peer& peer)> check_head;
  /// Called when the server itself refuses: writes the body and Content-Type. Empty: plain text.
  Callback<void(HttpResponse& response, std::string_view message)> format_refusal;
  /// Called for every request that the server, check_head or Responder::refuse refuses, and every
  /// connection beyond the limit. `peer`: Peer::address.
  Callback<void(int status, const std::string& peer)> on_refusal;
};

class HttpServer {
 public:
  /// The handler may move parts out of the request; the server reuses the buffers that it leaves.
  using Handler = Callback<void(HttpRequest& request, Responder responder)>;

  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> listen(Loop& loop,
                                                                  HttpServerOptions options,
                                                                  Handler handler);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();  ///< closes all connections

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] const ServerStats& stats() const;

  /// New connections use this TLS context. Only for a server that was created with one.
  void renew(std::shared_ptr<TlsContext> tls);

  /// Accepts no new connections, answers every request that arrives on the existing ones, closes
  /// each after its answer, and calls `done`. Closes all that remain after `at_most`.
  void drain(Duration at_most, Task done);

 private:
  explicit HttpServer(std::shared_ptr<detail::ServerCore> core);
  std::shared_ptr<detail::ServerCore> core_;
};

}  // namespace enfold::net
