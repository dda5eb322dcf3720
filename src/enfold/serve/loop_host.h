// SPDX-License-Identifier: Apache-2.0
// The host of a real server: a loop, and workers beside it.
#pragma once

#include "enfold/net/loop.h"
#include "enfold/serve/host.h"
#include "enfold/serve/workers.h"

namespace enfold::serve {

class LoopHost final : public Host {
 public:
  LoopHost(net::Loop& loop, std::size_t workers, std::size_t max_waiting)
      : loop_(loop), workers_(workers, max_waiting) {}

  [[nodiscard]] bool work(net::Task job) override { return workers_.run(std::move(job)); }
  void post(net::Task task) override { loop_.post(std::move(task)); }
  [[nodiscard]] std::unique_ptr<Alarm> after(std::chrono::milliseconds wait,
                                             net::Task task) override;
  [[nodiscard]] std::chrono::microseconds clock() const override;
  [[nodiscard]] std::chrono::sys_time<std::chrono::microseconds> calendar() const override;
  void fill_random(std::span<std::uint8_t> bytes) override;
  [[nodiscard]] mcp::Time now() const override {
    return std::chrono::duration_cast<mcp::Time>(loop_.now().time_since_epoch());
  }

  [[nodiscard]] net::Loop& loop() { return loop_; }
  [[nodiscard]] Workers& workers() { return workers_; }

 private:
  net::Loop& loop_;
  Workers workers_;
};

}  // namespace enfold::serve
