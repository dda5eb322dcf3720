// SPDX-License-Identifier: Apache-2.0
// A reply of Redis, and its errors as Enfold errors.
#pragma once

#include "enfold/base/result.h"
#include "enfold/store/redis/address.h"

#include <cstdint>
#include <memory>
#include <string_view>

struct redisReply;

namespace enfold::store::detail {

struct FreeReply {
  void operator()(redisReply* reply) const;
};

/// A view of a reply or of an item in it. The Reply must outlive the view.
class ReplyView {
 public:
  explicit ReplyView(const redisReply* reply) : reply_(reply) {}
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] std::size_t size() const;  ///< number of items of a list; 0 for other replies
  [[nodiscard]] ReplyView operator[](std::size_t) const;  ///< a null reply outside the list
  [[nodiscard]] bool is_error() const;
  /// Of a text, a status or an error; empty for other replies.
  [[nodiscard]] std::string_view text() const;
  /// Of a number, or of a text that begins with a number; 0 for other replies.
  [[nodiscard]] std::int64_t number() const;

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

/// Whether a new connection may cure this error: it leads to the new primary after a failover, and
/// it loads the scripts that a server has lost. `error`: the text of an error reply.
[[nodiscard]] bool needs_new_connection(std::string_view error);

/// The Enfold error for an error reply of Redis.
[[nodiscard]] Error error_of(std::string_view text, const RedisAddress& address);

}  // namespace enfold::store::detail
