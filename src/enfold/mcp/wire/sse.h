// SPDX-License-Identifier: Apache-2.0
// Server-sent events (HTML Living Standard, section 9.2): an encoder, and a decoder that takes
// bytes as they arrive, split at any place. decode(encode(events)) gives the same events.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/write.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp {

struct SseEvent {
  std::string event;                               ///< empty: the default, "message"
  std::string data;                                ///< lines joined by \n
  std::optional<std::string> id;                   ///< nullopt: the event has none
  std::optional<std::chrono::milliseconds> retry;  ///< to wait before a client reconnects
  friend bool operator==(const SseEvent&, const SseEvent&) = default;
};

/// A comment that keeps an idle connection from being closed.
inline constexpr std::string_view kSseKeepAlive = ": keep-alive\n\n";

/// A carriage return in the data is decoded as a line feed: the format cannot express it. Line ends
/// in event and id, and NUL in id, cannot be expressed and are left out.
[[nodiscard]] std::string encode(const SseEvent& event);

/// One JSON message as an event of type "message", with an id if there is one.
[[nodiscard]] std::string message_event(std::string_view message, std::string_view event_id = {});

/// An event without content: it gives the client an id to resume from, and the time to wait before
/// it reconnects.
[[nodiscard]] std::string priming_event(std::string_view id,
                                        std::optional<std::chrono::milliseconds> retry);

class SseDecoder {
 public:
  explicit SseDecoder(std::size_t max_event_bytes = std::size_t{16} << 20)
      : max_event_bytes_(max_event_bytes) {}

  /// Appends the events that `bytes` complete. `limit_exceeded` for a line or an event beyond the
  /// limit, and for every later call. An event that no empty line ends is dropped.
  [[nodiscard]] Status feed(std::string_view bytes, std::vector<SseEvent>& out);

  // The latest that were read, also of an incomplete event; empty or nullopt: none yet.
  [[nodiscard]] const std::string& last_event_id() const { return last_event_id_; }
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  /// An empty line completes an event, which is appended to `out`.
  void take_line(std::string_view line, std::vector<SseEvent>& out);
  void take_field(std::string_view field, std::string_view value);

  std::size_t max_event_bytes_;
  std::string line_;       ///< the incomplete line
  SseEvent pending_;       ///< the incomplete event
  bool has_data_ = false;  ///< the incomplete event has a data field
  bool at_start_ = true;   ///< no line was read: the first may have a byte order mark
  bool after_cr_ = false;  ///< the last byte was CR: an LF belongs to the same line end
  bool failed_ = false;    ///< an event was beyond the limit
  std::string last_event_id_;
  std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace enfold::mcp
