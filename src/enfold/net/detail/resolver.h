// SPDX-License-Identifier: Apache-2.0
// Finds the addresses of hosts on a thread of its own, because the system's resolver blocks.
#pragma once

#include "enfold/net/endpoint.h"
#include "enfold/net/loop.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace enfold::net {

class Resolver {
 public:
  using Answer = Callback<void(Result<std::vector<Endpoint>> endpoints)>;

  explicit Resolver(Loop& loop);
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;
  /// Answers that have not come by now never come. Does not wait for the system's resolver.
  ~Resolver();

  /// Numeric addresses and "localhost" are answered at the end of this turn, without the thread.
  void find(const std::string& host, std::uint16_t port, Answer answer);

 private:
  struct Shared;
  Loop& loop_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace enfold::net
