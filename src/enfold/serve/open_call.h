// SPDX-License-Identifier: Apache-2.0
// A call that a service has begun and not answered yet, as the connection it came from knows it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace enfold::serve {

/// Why the answer of a call is not wanted any more.
enum class CancelCause : std::uint8_t { client_cancelled, client_disconnected };

[[nodiscard]] constexpr std::string_view reason(CancelCause cause) {
  return cause == CancelCause::client_cancelled ? "the client cancelled the call"
                                                : "the client has gone";
}

/// Service::begin returns one; the connection keeps it until the call is answered or cancelled.
class OpenCall {
 public:
  OpenCall() = default;
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;
  virtual ~OpenCall() = default;

  /// Comes at most once, on the serving thread. No reply is expected after it.
  virtual void cancel(CancelCause cause) = 0;
};

/// A call whose handler asks whether it was cancelled. Set by the serving thread, read by any.
class Cancellation final : public OpenCall {
 public:
  void cancel(CancelCause /*cause*/) override { cancel(); }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_ = false;
};

}  // namespace enfold::serve
