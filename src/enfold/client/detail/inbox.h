// SPDX-License-Identifier: Apache-2.0
// Long messages of one connection are read on a worker, one at a time. What its transport reports
// in the meantime waits here, so that everything is handled in the order in which it came.
#pragma once

#include "enfold/base/lifetime.h"
#include "enfold/client/options.h"
#include "enfold/mcp/wire/cut_message.h"

#include <deque>

namespace enfold::client::detail {

/// Longer messages are read on a worker: reading takes up to 60 ns for a byte.
inline constexpr std::size_t kMaxBytesOnLoop = std::size_t{64} << 10;

/// One message, or a batch, as a worker or the loop has read it.
struct ReadMessage {
  tl::expected<mcp::Messages, mcp::BadMessage> messages;
  mcp::CutMessage beginning;         ///< of bytes that are not JSON
  std::vector<std::string> dropped;  ///< why notifications of `messages` were dropped
};

/// Reads the bytes, and drops the notifications that are longer than `max_notification_bytes`. Of
/// those that say that a list has changed only the params are dropped.
[[nodiscard]] ReadMessage read_message(std::string_view bytes, const Limits& limits,
                                       std::size_t max_notification_bytes);

struct InboxEvents {
  /// A message that has waited; Inbox::take_read() has it if a worker has read it.
  std::function<void(std::string_view bytes, std::optional<mcp::CallKey> about)> on_message;
  /// A message is dropped, because too many bytes wait.
  std::function<void(const Error& error, std::optional<mcp::CallKey> about)> on_dropped;
  std::function<void()> on_handled;  ///< after some reports were handled; maybe none is left
};

class Inbox {
 public:
  /// `options` must outlive this object.
  Inbox(net::Loop& loop, const ClientOptions& options, InboxEvents events)
      : loop_(loop), options_(options), events_(std::move(events)) {}

  /// A message is being read, or reports wait.
  [[nodiscard]] bool is_busy() const { return is_reading_ || !waiting_.empty(); }
  /// Whether a new report must be kept here. False inside a report that has waited.
  [[nodiscard]] bool must_wait() const { return is_busy() && !is_handling_; }
  void keep(net::Task report) { waiting_.push_back({std::move(report), 0}); }
  /// Keeps a message that must wait, or gives it to a worker; false: read it now.
  [[nodiscard]] bool takes(std::string_view bytes, std::optional<mcp::CallKey> about) {
    const bool is_long = bytes.size() > kMaxBytesOnLoop && options_.work && !read_;
    if (!is_long && !must_wait()) return false;
    must_wait() ? keep_message(bytes, about) : read(bytes, about);
    return true;
  }
  /// nullopt: no worker has read the message of this on_message().
  [[nodiscard]] std::optional<ReadMessage> take_read() {
    return std::exchange(read_, std::nullopt);
  }
  void clear();  ///< drops what waits

 private:
  struct Waiting {
    net::Task report;
    std::size_t bytes = 0;
  };

  void keep_message(std::string_view bytes, std::optional<mcp::CallKey> about);
  void read(std::string_view bytes, std::optional<mcp::CallKey> about);
  /// Handles waiting reports until one is read by a worker, some hundred in one iteration.
  void handle();

  net::Loop& loop_;
  const ClientOptions& options_;
  InboxEvents events_;
  std::deque<Waiting> waiting_;
  std::size_t bytes_ = 0;            ///< of the messages in `waiting_`
  std::optional<ReadMessage> read_;  ///< for take_read()
  bool is_reading_ = false;
  bool is_handling_ = false;
  Lifetime lifetime_;
};

}  // namespace enfold::client::detail
