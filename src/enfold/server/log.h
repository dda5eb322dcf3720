// SPDX-License-Identifier: Apache-2.0
// What a server writes about itself: one line for every call, with its request id, and one for
// what an operator should know. Never an argument, never a payload.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace enfold::server {

struct LogLine {
  enum class Level { info, warning, error };
  Level level = Level::info;
  std::string event;  ///< "call", "listening", "handler_threw" …
  std::string request_id;
  std::string tool;
  std::string outcome;  ///< of a call, as its envelope says: ok, partial, failed, input_required
  std::string code;     ///< of a failure
  std::chrono::microseconds duration{0};
  std::string note;  ///< for the operator, in words
};

/// May be called from any thread.
using Log = std::function<void(const LogLine&)>;

/// level=info event=call request_id=req_1 tool=echo outcome=ok duration_ms=0.3
[[nodiscard]] std::string to_text(const LogLine& line);

void log_to_stderr(const LogLine& line);

}  // namespace enfold::server
