// SPDX-License-Identifier: Apache-2.0
// A redis-server of our own, on a Unix socket in a temporary folder and on no port.
#pragma once

#include "tests/store/temporary_folder.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace enfold::store::testing {

class RedisServer {
 public:
  enum class Keeps { nothing, every_write };  ///< appendonly with appendfsync always
  explicit RedisServer(Keeps keeps, std::vector<std::string> more_settings = {});
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  /// Empty when the server answers; otherwise what is wrong. Also starts it again, on the same
  /// data.
  [[nodiscard]] std::string start();
  void kill();          ///< kill -9
  void stop() const;    ///< SIGSTOP: connections stay open, nothing is answered
  void resume() const;  ///< SIGCONT
  [[nodiscard]] std::string url() const { return "redis+unix://" + socket(); }
  [[nodiscard]] std::string socket() const { return folder_.file("socket"); }

  /// Sends a command to the server behind Enfold's back; its reply as text.
  std::string tell(const std::vector<std::string>& words) const;

 private:
  TemporaryFolder folder_;
  Keeps keeps_;
  std::vector<std::string> more_settings_;
  pid_t process_ = -1;
};

/// One for all tests that do not harm it; emptied by whoever uses it next. Null and a failed test
/// when there is no redis-server.
[[nodiscard]] RedisServer* shared_redis();

}  // namespace enfold::store::testing
