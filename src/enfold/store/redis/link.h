// SPDX-License-Identifier: Apache-2.0
// The way to a Redis server, for any number of threads. A thread of its own writes the requests of
// all callers to one connection without waiting for replies in between, replaces a connection that
// is lost, and looks for a server that is down. While it is down, requests fail at once, so that no
// caller waits longer than the timeout.
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

  /// If the connection is lost before the reply, a request is sent once more on a new one, so it
  /// must be safe to run twice. After a timeout it is not sent again.
  [[nodiscard]] Result<Reply> command(const Words& words);
  /// Several commands in one round trip. All are sent; an error reply to any of them is the result.
  [[nodiscard]] Result<std::vector<Reply>> pipeline(const std::vector<Words>& commands);
  [[nodiscard]] Result<Reply> run(const char* script, const Words& keys, const Words& arguments);
  /// Does not wait: calls `done` once, in the link's thread, or at once if the server is down.
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

  void send(RedisRequest request);
  void start();
  void wake() const;
  void work();  ///< the thread
  [[nodiscard]] Result<std::unique_ptr<RedisWire>> connect();
  [[nodiscard]] Status shake_hands(RedisWire& wire, Clock::time_point deadline);
  /// Until the connection is lost (the error) or is to be replaced or the link ends (no error).
  [[nodiscard]] Status serve(RedisWire& wire);
  [[nodiscard]] bool take_queue(RedisWire& wire);  ///< false: the link ends
  void on_reply(RedisRequest request, Reply reply);
  void keep_for_next(Requests unanswered, const Status& ended);
  void go_down(const Error& error);
  void finish(RedisRequest& request, Result<Reply> result);
  void wait_for_event(std::chrono::milliseconds most, const RedisWire* wire) const;

  const RedisAddress address_;
  const std::chrono::milliseconds timeout_;
  const std::vector<const char*> scripts_;
  int wakeup_ = -1;  ///< eventfd

  // Of the thread alone.
  Requests again_;  ///< for the next connection
  /// The connection is to be replaced: the server says that it no longer takes writes (READONLY).
  bool is_stale_ = false;
  Clock::time_point replaced_at_{};  ///< the last time, to limit how often

  mutable std::mutex mutex_;  ///< protects the members below
  std::thread thread_;
  Requests queue_;
  bool stops_ = false;
  bool is_up_ = false;
  /// Down because it did not answer: requests fail at once. Down for another reason they wait for
  /// the attempt under way, until the timeout.
  bool is_silent_ = false;
  std::optional<Clock::time_point> attempt_;  ///< when the current attempt to connect began
  std::optional<Error> problem_;              ///< of the last request, or why the server is down
  std::uint64_t failures_ = 0;
  std::string info_;
};

/// Connects at once. A server that is down is no error here.
[[nodiscard]] Result<std::unique_ptr<RedisLink>> open_link(std::string_view url,
                                                           std::chrono::milliseconds timeout,
                                                           std::vector<const char*> scripts);

}  // namespace enfold::store::detail
