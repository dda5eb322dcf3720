// SPDX-License-Identifier: Apache-2.0
// A network between a store and its server: passes bytes between Unix sockets, each after a delay,
// so that a local server answers like a remote one.
#pragma once

#include "tests/store/temporary_folder.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace enfold::store::testing {

class SlowProxy {
 public:
  /// `round_trip`: time that it adds to a request and its answer together.
  SlowProxy(std::string server_socket, std::chrono::microseconds round_trip);
  ~SlowProxy();
  SlowProxy(const SlowProxy&) = delete;
  SlowProxy& operator=(const SlowProxy&) = delete;

  [[nodiscard]] std::string url() const { return "redis+unix://" + folder_.file("proxy"); }
  /// Connects later clients to another server; open connections stay where they are.
  void lead_to(const std::string& server_socket);
  [[nodiscard]] int connections() const { return accepted_; }  ///< accepted so far

 private:
  using Clock = std::chrono::steady_clock;
  struct Piece {
    Clock::time_point due;
    std::string bytes;
  };
  struct Pipe {
    int from;
    int to;
    std::deque<Piece> pieces;
    bool ended = false;
  };
  void run();
  void accept_one();
  void move(Pipe& pipe, bool readable);

  TemporaryFolder folder_;
  std::string server_socket_;
  std::mutex mutex_;  ///< protects server_socket_
  std::chrono::microseconds delay_;
  int listener_ = -1;
  std::list<Pipe> pipes_;
  std::atomic<int> accepted_ = 0;
  std::atomic<bool> stops_ = false;
  std::thread thread_;
};

}  // namespace enfold::store::testing
