// SPDX-License-Identifier: Apache-2.0
// One open connection to Redis, for one thread. Requests are written as they come, without waiting
// for the replies to earlier ones (pipelining); Redis replies in the same order.
#pragma once

#include "enfold/store/redis/address.h"
#include "enfold/store/redis/reply.h"

#include <chrono>
#include <cstdint>
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
  const char* script = nullptr;  ///< for EVALSHA, which comes before the words; nullptr: none
  std::size_t words = 0;
  std::string text;  ///< the words, as the protocol writes them
  std::function<void(Result<Reply>)> done;
  bool was_sent = false;  ///< on a connection that is lost; it is sent only once more

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
  void add(RedisRequest request);

  [[nodiscard]] bool has_output() const { return unwritten_ < requests_.size(); }
  [[nodiscard]] Status write();  ///< what the system takes without waiting
  using OnReply = std::function<void(RedisRequest request, Reply reply)>;
  [[nodiscard]] Status read(const OnReply& on_reply);  ///< what has arrived

  /// Since when the server neither answers nor takes the oldest request; nullopt: nothing is open.
  [[nodiscard]] std::optional<Clock::time_point> waits_since() const;
  /// Sends the commands and waits for all replies. Errors of the server are replies here.
  [[nodiscard]] Result<std::vector<Reply>> exchange(const std::vector<Words>& commands,
                                                    Clock::time_point deadline);
  /// The requests without a reply, for another connection.
  [[nodiscard]] std::deque<RedisRequest> take_back();

 private:
  RedisWire(const RedisAddress& address, redisContext* context)
      : address_(address), context_(context) {}
  [[nodiscard]] tl::unexpected<Error> lost(std::string_view why) const;

  const RedisAddress& address_;
  redisContext* context_;
  std::map<const char*, std::string> script_ids_;
  struct Sent {
    RedisRequest request;
    std::string head;  ///< comes before the request's text
  };
  std::deque<Sent> requests_;  ///< without a reply, oldest first
  std::size_t unwritten_ = 0;  ///< index of the first that is not written completely
  std::size_t written_ = 0;    ///< bytes of that one
  Clock::time_point progress_{};
};

/// The error for a server that does not answer in time.
[[nodiscard]] Error late_answer(const RedisAddress& address, std::chrono::milliseconds timeout);

}  // namespace enfold::store::detail
