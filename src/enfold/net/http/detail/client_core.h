// SPDX-License-Identifier: Apache-2.0
// What the connections of one client share: the calls, and for each origin the connections to it
// and the calls that wait for one.
#pragma once

#include "enfold/net/detail/resolver.h"
#include "enfold/net/http/client.h"
#include "enfold/net/http/detail/client_connection.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace enfold::net::detail {

struct Call {
  std::uint64_t id = 0;
  ClientRequest request;
  CallEvents events;
  std::string origin;
  ClientConnection* connection = nullptr;
  bool was_repeated = false;
  bool is_paused = false;
};

class ClientCore : public std::enable_shared_from_this<ClientCore> {
 public:
  ClientCore(Loop& loop, HttpClientOptions options)
      : loop_(loop), options_(std::move(options)), resolver_(loop) {}

  [[nodiscard]] std::uint64_t send(ClientRequest request, CallEvents events);
  void cancel(std::uint64_t id);
  /// Cancels, and tells the sender why.
  void give_up(std::uint64_t id, Error error);
  void set_paused(std::uint64_t id, bool paused);
  void shut_down();

  [[nodiscard]] Loop& loop() { return loop_; }
  [[nodiscard]] Resolver& resolver() { return resolver_; }
  [[nodiscard]] const ClientLimits& limits() const { return options_.limits; }
  [[nodiscard]] Result<std::shared_ptr<TlsContext>> tls();
  [[nodiscard]] Call* find(std::uint64_t id) const;
  [[nodiscard]] std::size_t connections() const;
  [[nodiscard]] std::size_t calls() const { return calls_.size(); }

  /// The call is over; its connection has been let go.
  void finish(std::uint64_t id, Status status);
  /// The call goes to another connection, once.
  void repeat(std::uint64_t id);
  /// A connection has nothing to do: it gets a call that waits, or stays for the next one.
  void offer(ClientConnection& connection);
  void release(ClientConnection& connection);

 private:
  struct Origin {
    std::vector<std::unique_ptr<ClientConnection>> connections;
    std::deque<std::uint64_t> waiting;
  };
  void start(Call& call);
  void connect(Origin& origin, Call& call);
  void fail_later(std::uint64_t id, Error error);
  [[nodiscard]] Call* next_waiting(Origin& origin);

  Loop& loop_;
  HttpClientOptions options_;
  Resolver resolver_;
  std::uint64_t last_id_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<Call>> calls_;
  std::unordered_map<std::string, Origin> origins_;
};

}  // namespace enfold::net::detail
