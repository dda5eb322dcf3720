// SPDX-License-Identifier: Apache-2.0
// The state that all connections of one HTTP server share: the listener, the limits, the counters,
// and the table by which a Responder finds its connection, if it still exists.
#pragma once

#include "enfold/base/shares.h"
#include "enfold/net/http/detail/date_line.h"
#include "enfold/net/http/detail/eviction_order.h"
#include "enfold/net/http/detail/server_connection.h"
#include "enfold/net/http/server.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace enfold::net::detail {

class ServerCore : public std::enable_shared_from_this<ServerCore> {
 public:
  ServerCore(Loop& loop, HttpServerOptions options, HttpServer::Handler handler);
  [[nodiscard]] Status listen();
  /// Closes the listener and all connections.
  void shut_down();
  void drain(Duration at_most, Task done);
  void renew(std::shared_ptr<TlsContext> tls) { options_.tls = std::move(tls); }

  [[nodiscard]] Loop& loop() { return loop_; }
  [[nodiscard]] HttpServerOptions& options() { return options_; }
  [[nodiscard]] const ServerLimits& limits() const { return options_.limits; }
  [[nodiscard]] ServerStats& stats() { return stats_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] bool is_draining() const { return draining_; }
  [[nodiscard]] std::uint64_t new_exchange_id() { return ++last_exchange_; }
  /// The request that is being parsed, on any connection; valid until the next one is parsed.
  [[nodiscard]] HttpRequest& scratch_request() { return scratch_request_; }
  [[nodiscard]] const std::string& date_line() { return date_line_.at(loop_.now()); }

  /// Why the request must be refused; nullopt: it is allowed.
  [[nodiscard]] std::optional<HttpFault> check_host_and_origin(const HttpHead& head);
  /// The response for a fault.
  [[nodiscard]] HttpResponse refusal(const HttpFault& fault);
  /// Counts and reports a refused request.
  void on_refusal(int status, const ServerConnection& connection);
  void handle(HttpRequest& request, Responder responder) {
    handler_(request, std::move(responder));
  }

  /// nullptr: the exchange has ended.
  [[nodiscard]] ServerConnection* find(std::uint32_t slot, std::uint64_t exchange) const;
  [[nodiscard]] EvictionOrder& eviction_order() { return eviction_order_; }
  /// Removes a connection that is closed.
  void release(ServerConnection& connection);

 private:
  /// Accepts waiting connections; if there are more, the others in the next loop iteration.
  void accept_some(int at_most = 64);
  /// Makes an accepted socket a connection. At max_connections it takes the place of the connection
  /// that has waited longest for its client; if none waits, it is rejected.
  void adopt(FileDescriptor socket);
  void reject(FileDescriptor socket);  ///< closes it; without TLS, answers 503 first
  void on_accept_failure(int error_number);
  void finish_draining();

  Loop& loop_;
  HttpServerOptions options_;
  HttpServer::Handler handler_;
  ServerStats stats_;
  Listener listener_;
  Watch watch_;
  Shares by_address_;       ///< places for connections, by network of the client
  FileDescriptor reserve_;  ///< closed to reject connections when descriptors run out
  Timer accept_again_;      ///< calls accept_some() after accept() has failed
  Timer drain_deadline_;
  Task on_drained_;
  bool draining_ = false;
  std::uint16_t port_ = 0;
  std::uint64_t last_exchange_ = 0;
  std::vector<std::unique_ptr<ServerConnection>> connections_;
  std::vector<std::uint32_t> free_slots_;
  EvictionOrder eviction_order_;
  HttpRequest scratch_request_;
  std::string known_host_;  ///< the last Host that passed the check, which need not be repeated
  DateLine date_line_;
};

}  // namespace enfold::net::detail
