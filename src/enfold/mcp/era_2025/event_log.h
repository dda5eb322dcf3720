// SPDX-License-Identifier: Apache-2.0
// What was sent on the event streams of a session, so that a client which lost a stream can take
// it up again with Last-Event-ID. Bounded; only events of the same stream are ever replayed.
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

/// One event stream of a session. 0 is the standalone one, opened by GET.
enum class StreamKey : std::uint64_t { standalone = 0 };

class EventLog {
 public:
  struct Bounds {
    std::size_t events = 1024;
    std::size_t bytes = std::size_t{4} << 20;
  };
  EventLog() = default;
  explicit EventLog(Bounds bounds) : bounds_(bounds) {}

  /// The id of an event on this stream, unique in the session. Oldest events make room.
  [[nodiscard]] std::string append(StreamKey stream, std::string message);

  struct Event {
    std::string id;
    std::string message;  ///< empty: a priming event
  };
  struct Replay {
    StreamKey stream;
    std::vector<Event> events;  ///< after the given one, oldest first
  };
  /// nullopt: no id of this log, or older than what is kept.
  [[nodiscard]] std::optional<Replay> after(std::string_view last_event_id) const;

  /// The answer of a stream has arrived; nobody will ask for it again.
  void forget(StreamKey stream);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    StreamKey stream;
    std::uint64_t number;
    std::string message;
  };
  Bounds bounds_;
  std::deque<Entry> entries_;
  std::uint64_t last_ = 0;
  std::map<StreamKey, std::uint64_t> lost_;  ///< the last of each stream that had to make room
  std::size_t bytes_ = 0;
};

}  // namespace enfold::mcp::era_2025
