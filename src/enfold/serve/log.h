// SPDX-License-Identifier: Apache-2.0
// The log of a server: one line for every call, with its request id, and lines about problems. It
// never contains arguments or payloads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace enfold::serve {

struct LogLine {
  enum class Level { info, warning, error };
  Level level = Level::info;
  std::string event;  ///< "call", "listening", "handler_threw" …
  std::string request_id;
  std::string tool;
  std::string outcome;  ///< of a call: ok, partial, failed, input_required, refused, cancelled
  std::string code;     ///< of a failure; of a refused HTTP request its status
  std::chrono::microseconds duration{0};  ///< of a call
  std::string note;                       ///< text for the operator

  // Only set by a gateway. to_text writes only the first three of these.
  std::string upstream;
  std::string principal;
  std::string client_address;  ///< "192.0.2.7:50112"
  std::string trace_id;        ///< 32 hex digits (W3C trace context)
  std::string fidelity;  ///< of an answer in a contract: full, partial, summary or reference_only
  /// The handle of the archived answer that a call of `enfold_fetch` has read. Not written to logs.
  std::string fetched_handle;
  /// The sizes of an answer; zero: unknown. Tokens are counted in the part that a model reads.
  struct Weight {
    std::uint64_t bytes_in = 0;        ///< of the upstream's result
    std::uint64_t bytes_out = 0;       ///< of the result that the client gets
    std::uint64_t tokens_before = 0;   ///< of the upstream's result
    std::uint64_t tokens_after = 0;    ///< of the result that the client gets
    std::uint64_t archived_bytes = 0;  ///< of the original; zero: it was not archived
    friend bool operator==(const Weight&, const Weight&) = default;
  } weight;
};

/// May be called from any thread.
using Log = std::function<void(const LogLine&)>;

using LogTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// level=info event=call request_id=req_1 tool=echo outcome=ok duration_ms=0.3. No value can begin
/// a line or control a terminal.
[[nodiscard]] std::string to_text(const LogLine& line);
/// The same after time=2026-11-15T12:00:00.000Z.
[[nodiscard]] std::string to_text(const LogLine& line, LogTime time);

/// {"time":"2026-11-15T12:00:00.000Z","level":"info","event":"call","request_id":"req_1",…}. Here,
/// as in to_text, empty and zero fields are left out.
[[nodiscard]] std::string to_json(const LogLine& line, LogTime time);

/// Never waits for the reader of standard error: lines that have no room are left out, and a line
/// `log_lines_left_out` says how many.
void log_to_stderr(const LogLine& line);
void log_json_to_stderr(const LogLine& line);

/// A log on standard error, as JSON or text.
[[nodiscard]] Log stderr_log(bool as_json);

}  // namespace enfold::serve
