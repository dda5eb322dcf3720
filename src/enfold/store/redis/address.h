// SPDX-License-Identifier: Apache-2.0
// The address of a Redis server.
#pragma once

#include "enfold/base/result.h"

#include <string>
#include <string_view>

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

}  // namespace enfold::store::detail
