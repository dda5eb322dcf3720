// SPDX-License-Identifier: Apache-2.0
// The address of a Redis server, and one connection to it that reconnects when it is lost, with
// Redis's errors as Enfold errors. A connection is not for two threads at once.
#pragma once

#include "enfold/base/result.h"
#include "enfold/store/detail/backend.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
struct redisContext;
struct redisReply;

namespace enfold::store::detail {

struct RedisAddress {
  std::string socket;  ///< path of a Unix socket; empty: TCP
  std::string host;
  int port = 6379;
  int database = 0;
  std::string user;      ///< empty: the default user
  std::string password;  ///< empty: no login

  [[nodiscard]] std::string shown() const;  ///< without user and password
  friend bool operator==(const RedisAddress&, const RedisAddress&) = default;
};

/// `redis://[[user]:password@]host[:port][/db]` and `redis+unix://[[user]:password@]/path[?db=N]`,
/// with percent-encoding in user and password.
[[nodiscard]] Result<RedisAddress> parse_redis_url(std::string_view url);

struct FreeReply {
  void operator()(redisReply* reply) const;
};

/// A view of a reply; the tree belongs to the Reply it came from.
class ReplyView {
 public:
  explicit ReplyView(const redisReply* reply) : reply_(reply) {}
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] std::size_t size() const;  ///< number of items of a list; 0 for other replies
  [[nodiscard]] ReplyView operator[](std::size_t) const;  ///< a null reply outside the list
  [[nodiscard]] std::string_view text() const;            ///< empty if the reply is not a text
  [[nodiscard]] std::int64_t number()
      const;  ///< of a number, or a text that begins with one; else 0

 private:
  const redisReply* reply_;
};

class Reply {
 public:
  explicit Reply(redisReply* reply) : reply_(reply) {}
  [[nodiscard]] ReplyView view() const { return ReplyView(reply_.get()); }

 private:
  std::unique_ptr<redisReply, FreeReply> reply_;
};

/// A command and its arguments, or a part of them.
using Words = std::vector<std::string_view>;

class RedisConnection {
 public:
  /// `clock`: the clock from which callers take the times that they pass to the store.
  RedisConnection(RedisAddress address, std::chrono::milliseconds timeout,
                  WallClock clock = system_time);
  ~RedisConnection();
  RedisConnection(const RedisConnection&) = delete;
  RedisConnection& operator=(const RedisConnection&) = delete;

  /// If the connection was lost, the command is sent once more on a new one, so it must be safe to
  /// run twice. After a timeout it is not sent again.
  [[nodiscard]] Result<Reply> command(const Words& words);
  /// Several commands in one round trip. All are sent; an error reply to any of them is the result.
  [[nodiscard]] Result<std::vector<Reply>> pipeline(const std::vector<Words>& commands);
  /// `script` must be a string literal; its text is sent once per connection.
  [[nodiscard]] Result<Reply> run(const char* script, const Words& keys, const Words& arguments);

  /// How far the server's clock is ahead of the callers' clock; 0 when they agree within two
  /// seconds. Measured with each new connection, then at most once a minute. For any thread.
  [[nodiscard]] std::chrono::microseconds clock_offset() const {
    return std::chrono::microseconds(clock_offset_.load());
  }

  [[nodiscard]] const RedisAddress& address() const { return address_; }
  /// The error for a reply that no script or command of Enfold gives.
  [[nodiscard]] tl::unexpected<Error> unexpected_reply() const;

 private:
  [[nodiscard]] Status connect();
  [[nodiscard]] Status log_in();
  void measure_clock();
  [[nodiscard]] Result<std::vector<Reply>> exchange(const std::vector<Words>& commands);
  /// The last error of the connection, as "cannot DOING Redis: …".
  [[nodiscard]] Error lost(std::string_view doing) const;
  void disconnect();

  RedisAddress address_;
  std::chrono::milliseconds timeout_;
  WallClock clock_;
  std::chrono::steady_clock::time_point clock_measured_{};
  std::atomic<std::int64_t> clock_offset_ = 0;  ///< in microseconds
  redisContext* context_ = nullptr;
  std::map<std::string_view, std::string> script_ids_;  ///< hashes from the server, by script text
};

}  // namespace enfold::store::detail
