// SPDX-License-Identifier: Apache-2.0
// The state that the connections of one HTTP client share: name lookup, the calls, and for each
// origin its connections and the calls that wait for one of them.
#pragma once

#include "enfold/net/endpoint.h"
#include "enfold/net/http/client.h"
#include "enfold/net/http/detail/client_connection.h"
#include "enfold/net/loop.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace enfold::net::detail {

/// Looks up the addresses of hosts on its own thread, because the resolver of the system blocks.
class Resolver {
 public:
  using Answer = Callback<void(Result<std::vector<Endpoint>> endpoints)>;

  explicit Resolver(Loop& loop);
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;
  /// No `answer` is called after this. Does not wait for the resolver of the system.
  ~Resolver();

  /// Calls `answer` later on the loop's thread. Numeric addresses and "localhost" need no thread
  /// and are answered at the end of this loop iteration.
  void find(const std::string& host, std::uint16_t port, Answer answer);

 private:
  struct Shared;
  Loop& loop_;
  std::shared_ptr<Shared> shared_;
};

/// A call of an HttpClient that has not ended.
struct Call {
  std::uint64_t id = 0;  ///< counts the calls of the client, from 1
  ClientRequest request;
  CallEvents events;
  std::string origin;                      ///< Url::origin() of the request
  ClientConnection* connection = nullptr;  ///< null: waits for one, or has ended
  bool was_repeated = false;               ///< the request was sent again on a new connection
};

class ClientCore : public std::enable_shared_from_this<ClientCore> {
 public:
  ClientCore(Loop& loop, HttpClientOptions options)
      : loop_(loop), options_(std::move(options)), resolver_(loop) {}

  [[nodiscard]] std::uint64_t send(ClientRequest request, CallEvents events);  ///< the call's id
  void cancel(std::uint64_t id);  ///< its callbacks are not called any more
  /// Cancels the call, and reports the error to its sender.
  void give_up(std::uint64_t id, Error error);
  void shut_down();  ///< the HttpClient is destroyed: cancels all calls, closes all connections

  [[nodiscard]] Loop& loop() { return loop_; }
  [[nodiscard]] Resolver& resolver() { return resolver_; }
  [[nodiscard]] const ClientLimits& limits() const { return options_.limits; }
  /// The context of the options, or one that is made at the first use.
  [[nodiscard]] Result<std::shared_ptr<TlsContext>> tls();
  [[nodiscard]] Call* find(std::uint64_t id) const;  ///< nullptr: the call has ended
  [[nodiscard]] std::size_t connections() const;     ///< to all origins, idle ones included
  [[nodiscard]] std::size_t calls() const { return calls_.size(); }

  /// Reports the end of a call, which has no connection any more.
  void finish(std::uint64_t id, Status status);
  /// Sends the call once more on a new connection.
  void repeat(std::uint64_t id);
  /// A connection is idle: it gets a waiting call, or is kept for the next one.
  void offer(ClientConnection& connection);
  /// Removes a connection that is closed.
  void release(ClientConnection& connection);

 private:
  struct Origin {
    std::vector<std::unique_ptr<ClientConnection>> connections;
    std::set<std::uint64_t> waiting;  ///< ids of calls that wait for one; the oldest is lowest
  };
  /// Gives the call an idle or a new connection; else the call waits, or fails if too many wait.
  void start(Call& call);
  void connect(Origin& origin, Call& call);
  /// Ends the call with this error at the end of the loop iteration.
  void fail_later(std::uint64_t id, Error error);
  /// Removes the oldest id from `waiting` and returns its call; nullptr: none waits.
  [[nodiscard]] Call* next_waiting(Origin& origin);

  Loop& loop_;
  HttpClientOptions options_;
  Resolver resolver_;
  std::uint64_t last_id_ = 0;                                       ///< of the last call
  std::unordered_map<std::uint64_t, std::unique_ptr<Call>> calls_;  ///< by id
  std::unordered_map<std::string, Origin> origins_;                 ///< by Url::origin()
};

}  // namespace enfold::net::detail
