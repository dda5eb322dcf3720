// SPDX-License-Identifier: Apache-2.0
// Keeps the events that were sent on the streams of a session, so that a client that lost a stream
// can resume it with Last-Event-ID. The log is bounded. A replay has the events of one stream only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::mcp::era_2025 {

/// One event stream of a session. `standalone` is the stream that belongs to no call, opened by
/// GET. The owner of the log numbers the others; newer streams have larger numbers.
enum class StreamKey : std::uint64_t { standalone = 0 };

class EventLog {
 public:
  /// Of all kept events.
  struct Bounds {
    std::size_t events = 1024;
    std::size_t bytes = std::size_t{4} << 20;
  };
  EventLog() = default;
  explicit EventLog(Bounds bounds) : bounds_(bounds) {}

  /// Returns the id of the new event, unique in the session. Removes the oldest events beyond the
  /// bounds, but never the new one. An empty message makes a priming event: it has an id from which
  /// the client can resume, and no content.
  [[nodiscard]] std::string append(StreamKey stream, std::string message);

  struct Event {
    std::string id;
    std::string message;  ///< empty: a priming event
  };
  struct Replay {
    StreamKey stream;
    std::vector<Event> events;  ///< newer than Last-Event-ID, oldest first
  };
  /// nullopt: the id is unknown, or events after it have been removed.
  [[nodiscard]] std::optional<Replay> replay_after(std::string_view last_event_id) const;

  /// Removes the events of a stream. To be called when the answer to its call was delivered.
  void forget(StreamKey stream);
  /// Number of kept events.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    StreamKey stream;
    std::uint64_t number;  ///< counts the events of the session
    std::string message;
  };
  Bounds bounds_;
  std::deque<Entry> entries_;
  std::uint64_t last_number_ = 0;               ///< Entry::number of the last event
  std::map<StreamKey, std::uint64_t> removed_;  ///< number of the newest removed event of a stream
  std::size_t bytes_ = 0;                       ///< of all messages
};

}  // namespace enfold::mcp::era_2025
