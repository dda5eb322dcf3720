// SPDX-License-Identifier: Apache-2.0
// One open connection to Redis, for one thread. Requests are written as they come, without waiting
// for the replies to earlier requests (pipelining); Redis replies in the same order.
#pragma once

#include "enfold/store/redis/address.h"
#include "enfold/store/redis/reply.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct redisContext;

namespace enfold::store::detail {

/// A command and its arguments, or a part of them.
using Words = std::vector<std::string_view>;

struct RedisRequest {
  /// The script that the words are for, to be run by EVALSHA; nullptr: the words are a command.
  const char* script = nullptr;
  std::size_t words = 0;  ///< number of words in `text`
  std::string text;       ///< the words, as the protocol writes them
  std::function<void(Result<Reply>)> done;
  /// Whether it was sent on a connection that is lost; then it is sent only once more.
  bool was_sent = false;

  void add(const Words& more);
};

class RedisWire {
 public:
  using Clock = std::chrono::steady_clock;

  /// Waits until the connection is open, at most `timeout`.
  [[nodiscard]] static Result<std::unique_ptr<RedisWire>> connect(
      const RedisAddress& address, std::chrono::milliseconds timeout);
  ~RedisWire();
  RedisWire(const RedisWire&) = delete;
  RedisWire& operator=(const RedisWire&) = delete;

  [[nodiscard]] int descriptor() const;
  /// `id` is the hash by which the server knows a script.
  void know(const char* script, std::string_view id) { script_ids_[script] = id; }
  /// Queues a request, which `write` sends.
  void add(RedisRequest request);

  /// Whether a request is not written completely.
  [[nodiscard]] bool has_output() const { return unwritten_ < requests_.size(); }
  /// Writes as much as the system takes without waiting; an error: the connection is lost.
  [[nodiscard]] Status write();
  using OnReply = std::function<void(RedisRequest request, Reply reply)>;
  /// Calls `on_reply` for each reply that has arrived; an error: the connection is lost.
  [[nodiscard]] Status read(const OnReply& on_reply);

  /// Since when the server neither answers nor takes the oldest request; nullopt: no request is
  /// open.
  [[nodiscard]] std::optional<Clock::time_point> waits_since() const;
  /// Sends the commands and waits for all replies; an error reply of the server is a reply here.
  /// Fails with `timed_out`, without a message, if the deadline passes.
  [[nodiscard]] Result<std::vector<Reply>> exchange(const std::vector<Words>& commands,
                                                    Clock::time_point deadline);
  /// The requests without a reply, for another connection.
  [[nodiscard]] std::deque<RedisRequest> take_back();

 private:
  RedisWire(const RedisAddress& address, redisContext* context)
      : address_(address), context_(context) {}
  /// The error for a connection that is lost.
  [[nodiscard]] tl::unexpected<Error> lost(std::string_view why) const;

  const RedisAddress& address_;
  redisContext* context_;
  std::map<const char*, std::string> script_ids_;  ///< see know()
  struct Open {
    RedisRequest request;
    std::string head;  ///< comes before the request's text
  };
  std::deque<Open> requests_;     ///< without a reply, oldest first
  std::size_t unwritten_ = 0;     ///< index of the first request that is not written completely
  std::size_t written_ = 0;       ///< bytes of that request that are written
  Clock::time_point progress_{};  ///< see waits_since()
};

/// The error for a server that does not answer in time.
[[nodiscard]] Error late_answer(const RedisAddress& address, std::chrono::milliseconds timeout);

}  // namespace enfold::store::detail
