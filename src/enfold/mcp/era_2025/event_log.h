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

/// One event stream of a session. 0 is the one that belongs to no call, opened by GET.
enum class StreamKey : std::uint64_t { standalone = 0 };

class EventLog {
 public:
  struct Bounds {
    std::size_t events = 1024;
    std::size_t bytes = std::size_t{4} << 20;
  };
  EventLog() = default;
  explicit EventLog(Bounds bounds) : bounds_(bounds) {}

  /// Returns the id of the new event, unique in the session. Removes the oldest events beyond the
  /// bounds, but never the new one. An empty message is a priming event.
  [[nodiscard]] std::string append(StreamKey stream, std::string message);

  struct Event {
    std::string id;
    std::string message;  ///< empty: a priming event
  };
  struct Replay {
    StreamKey stream;
    std::vector<Event> events;  ///< newer than Last-Event-ID, oldest first
  };
  /// nullopt: the id is unknown, or the events after it have been removed.
  [[nodiscard]] std::optional<Replay> replay_after(std::string_view last_event_id) const;

  /// Removes the events of a stream whose answer was delivered.
  void forget(StreamKey stream);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    StreamKey stream;
    std::uint64_t number;  ///< counts the events of the session
    std::string message;
  };
  Bounds bounds_;
  std::deque<Entry> entries_;
  std::uint64_t last_number_ = 0;
  std::map<StreamKey, std::uint64_t> removed_;  ///< number of the newest removed event of a stream
  std::size_t bytes_ = 0;                       ///< of all messages
};

}  // namespace enfold::mcp::era_2025
