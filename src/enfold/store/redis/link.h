// SPDX-License-Identifier: Apache-2.0
// Access to a Redis server, for any number of threads. A separate thread writes the requests of all
// callers to one connection without waiting for replies in between, replaces a connection that is
// lost, and tries again to reach a server that is down. While the server is down, requests fail at
// once, so that no caller waits longer than the timeout.
#pragma once

#include "enfold/store/archive.h"
#include "enfold/store/redis/wire.h"

#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace enfold::store::detail {

class RedisLink {
 public:
  /// Connects with the first request. `scripts` are loaded into the server; they must be string
  /// literals. `timeout`: a server that is silent for this time is down.
  RedisLink(RedisAddress address, std::chrono::milliseconds timeout,
            std::vector<const char*> scripts = {});
  ~RedisLink();  ///< requests that are still open fail
  RedisLink(const RedisLink&) = delete;
  RedisLink& operator=(const RedisLink&) = delete;

  /// Sends a command and waits for its reply. If the connection is lost before the reply, the
  /// request is sent once more on a new connection, so it must be safe to run twice. After a
  /// timeout it is not sent again. This applies to the functions below, too.
  [[nodiscard]] Result<Reply> command(const Words& words);
  /// Several commands in one round trip. All are sent; an error reply to any of them is the result.
  [[nodiscard]] Result<std::vector<Reply>> pipeline(const std::vector<Words>& commands);
  /// Runs a script, which must be one of `scripts`, and waits for its reply.
  [[nodiscard]] Result<Reply> run(const char* script, const Words& keys, const Words& arguments);
  /// Runs a script without waiting: calls `done` once, in the link's thread, or before `run`
  /// returns if the server is down.
  using Done = std::function<void(Result<Reply>)>;
  void run(const char* script, const Words& keys, const Words& arguments, Done done);

  [[nodiscard]] Health health() const;
  /// INFO persistence and INFO memory of the server, when the connection was opened.
  [[nodiscard]] std::string info() const;
  [[nodiscard]] const RedisAddress& address() const { return address_; }
  /// The error for a reply that no script or command of Enfold gives.
  [[nodiscard]] tl::unexpected<Error> unexpected_reply() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Requests = std::deque<RedisRequest>;

  /// Queues the request for the thread, or fails it at once if the server is down.
  void send(RedisRequest request);
  void start();       ///< starts the thread unless it runs; `mutex_` is locked
  void wake() const;  ///< ends wait_for_event
  void work();        ///< the thread runs it
  [[nodiscard]] Result<std::unique_ptr<RedisWire>> connect();
  /// Logs in, selects the database, loads the scripts and reads `info_`.
  [[nodiscard]] Status shake_hands(RedisWire& wire, Clock::time_point deadline);
  /// Exchanges requests and replies. Returns an error when the connection is lost, and no error
  /// when the connection has to be replaced or the link ends.
  [[nodiscard]] Status serve(RedisWire& wire);
  /// Gives the queued requests to the connection; false: the link ends.
  [[nodiscard]] bool take_queue(RedisWire& wire);
  void on_reply(RedisRequest request, Reply reply);
  /// Keeps the requests for the next connection. If this connection was lost (`ended`, the result
  /// of `serve`), requests that were sent on an earlier connection too fail.
  void keep_for_next(Requests unanswered, const Status& ended);
  void go_down(const Error& error);
  /// Counts the result and passes it to the caller.
  void finish(RedisRequest& request, Result<Reply> result);
  /// Waits at most `most` (negative: without end) for wake(), or for data on `wire`; nullptr: only
  /// for wake().
  void wait_for_event(std::chrono::milliseconds most, const RedisWire* wire) const;

  const RedisAddress address_;
  const std::chrono::milliseconds timeout_;
  const std::vector<const char*> scripts_;
  int wakeup_ = -1;  ///< an eventfd, which wakes the thread

  // Only the thread uses these.
  Requests again_;  ///< to be sent on the next connection
  /// The connection has to be replaced, because of an error such as READONLY: see
  /// needs_new_connection.
  bool is_stale_ = false;
  Clock::time_point replaced_at_{};  ///< when a connection was last replaced, to limit how often

  mutable std::mutex mutex_;  ///< protects the members below
  std::thread thread_;
  Requests queue_;      ///< not given to a connection yet
  bool stops_ = false;  ///< the link ends
  bool is_up_ = false;  ///< there is a connection
  /// The server is down because it did not answer: requests fail at once. If it is down for another
  /// reason, requests wait for the current attempt to connect, until the timeout.
  bool is_silent_ = false;
  std::optional<Clock::time_point> attempt_;  ///< when the current attempt to connect began
  std::optional<Error> problem_;  ///< of the last request, or why the server is down; nullopt: none
  std::uint64_t failures_ = 0;    ///< requests that failed
  std::string info_;              ///< see info()
};

/// Connects at once, so that a wrong address or password is an error here. A server that is down is
/// no error: the link tries again.
[[nodiscard]] Result<std::unique_ptr<RedisLink>> open_link(std::string_view url,
                                                           std::chrono::milliseconds timeout,
                                                           std::vector<const char*> scripts);

}  // namespace enfold::store::detail
