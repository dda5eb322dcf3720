// SPDX-License-Identifier: Apache-2.0
// An HTTP/1.1 client on an event loop. It reuses connections, gives answers whole or piece by piece
// (SSE), and limits everything that the server may send. Redirects are not followed. A request is
// sent again only if it is marked as safe to repeat.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/endpoint.h"
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
class ClientCore;
}

struct ClientLimits {
  HttpLimits message{.max_body_bytes = std::size_t{64} << 20};  ///< max_body_bytes: for fetch()
  std::size_t max_connections_per_origin = 64;  ///< further calls wait for one of them
  std::size_t max_waiting_calls = 10'000;       ///< of one origin; further calls fail
  /// Name lookup, connection and TLS together, with all addresses of the host.
  Duration connect_timeout = std::chrono::seconds(10);
  Duration head_timeout = std::chrono::seconds(60);  ///< from the sent request to the answer's head
  Duration stall_timeout = std::chrono::seconds(60);  ///< between two pieces of a body
  Duration idle_timeout = std::chrono::seconds(30);   ///< how long an unused connection is kept
};

struct HttpClientOptions {
  ClientLimits limits;
  /// For https; null: a context with the CA certificates of the system, made when it is needed.
  std::shared_ptr<TlsContext> tls;
};

struct ClientRequest {
  std::string method = "GET";
  Url url;
  HeaderLines headers;  ///< Host and, if needed, Content-Length are added
  std::string body;
  bool is_safe_to_repeat = false;  ///< may be sent again if a reused connection turns out closed
  std::optional<Duration> head_timeout;  ///< instead of that of ClientLimits; Duration::max(): none
  std::optional<Duration> stall_timeout;  ///< instead of that of ClientLimits; max(): none
};

struct ClientResponse {
  HttpHead head;
  std::string body;
};

/// Called while an answer arrives; each may be empty. None is called after on_end, or after the
/// HttpCall was cancelled or destroyed.
struct CallEvents {
  Callback<void(const HttpHead& head)> on_head;  ///< not for interim responses (1xx)
  Callback<void(std::string_view bytes)> on_data;
  Callback<void(Status status)> on_end;  ///< an error: why the answer is not complete
};

/// An open request. Destroying it cancels the request and closes its connection.
class HttpCall {
 public:
  HttpCall() = default;
  HttpCall(HttpCall&&) noexcept = default;
  HttpCall& operator=(HttpCall&& other) noexcept;
  ~HttpCall();

  void cancel();
  /// Whether the request was written; still true after its end. False while it waits for a
  /// connection or while that is being opened, and after cancel().
  [[nodiscard]] bool is_sent() const;

 private:
  friend class HttpClient;
  HttpCall(std::shared_ptr<detail::ClientCore> core, std::uint64_t id);
  std::shared_ptr<detail::ClientCore> core_;
  std::uint64_t id_ = 0;
};

class HttpClient {
 public:
  explicit HttpClient(Loop& loop, HttpClientOptions options = {});
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();  ///< cancels open requests, without calling back

  // No callback is called before these functions return.
  /// The answer arrives piece by piece, by `events`.
  [[nodiscard]] HttpCall send(ClientRequest request, CallEvents events);
  /// Collects the whole answer, up to max_body_bytes.
  [[nodiscard]] HttpCall fetch(ClientRequest request,
                               Callback<void(Result<ClientResponse> response)> done);

  [[nodiscard]] std::size_t connections() const;  ///< idle ones included
  [[nodiscard]] std::size_t calls() const;        ///< that have not ended, waiting ones included

 private:
  std::shared_ptr<detail::ClientCore> core_;
};

}  // namespace enfold::net
