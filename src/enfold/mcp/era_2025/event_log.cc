// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/era_2025/event_log.h"

#include <charconv>
#include <fmt/core.h>

namespace enfold::mcp::era_2025 {
namespace {

// The id of an event: STREAM-NUMBER.
std::string id_of(StreamKey stream, std::uint64_t number) {
  return fmt::format("{}-{}", static_cast<std::uint64_t>(stream), number);
}

// nullopt: the text is not a number without sign.
std::optional<std::uint64_t> read_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  if (text.empty() || problem != std::errc() || stopped != end) return std::nullopt;
  return number;
}

}  // namespace

std::string EventLog::append(StreamKey stream, std::string message) {
  bytes_ += message.size();
  entries_.push_back({stream, ++last_number_, std::move(message)});
  while (entries_.size() > bounds_.events || (bytes_ > bounds_.bytes && entries_.size() > 1)) {
    bytes_ -= entries_.front().message.size();
    removed_[entries_.front().stream] = entries_.front().number;
    // `removed_` is bounded too: the entry of the oldest stream is dropped, but not that of the
    // standalone stream, which lasts as long as the session.
    if (removed_.size() > bounds_.events + 1) {
      removed_.erase(removed_.upper_bound(StreamKey::standalone));
    }
    entries_.pop_front();
  }
  return id_of(stream, last_number_);
}

std::optional<EventLog::Replay> EventLog::replay_after(std::string_view last_event_id) const {
  const std::size_t dash = last_event_id.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto stream = read_number(last_event_id.substr(0, dash));
  const auto number = read_number(last_event_id.substr(dash + 1));
  if (!stream || !number) return std::nullopt;
  Replay replay{static_cast<StreamKey>(*stream), {}};
  // A client whose last event is the newest removed event of its stream misses nothing.
  const auto removed = removed_.find(replay.stream);
  bool known = removed != removed_.end() && removed->second == *number;
  for (const Entry& entry : entries_) {
    if (entry.stream != replay.stream) continue;
    if (entry.number == *number) known = true;
    if (entry.number > *number && known) {
      replay.events.push_back({id_of(entry.stream, entry.number), entry.message});
    }
  }
  if (!known) return std::nullopt;
  return replay;
}

void EventLog::forget(StreamKey stream) {
  removed_.erase(stream);
  std::erase_if(entries_, [&](const Entry& entry) {
    if (entry.stream != stream) return false;
    bytes_ -= entry.message.size();
    return true;
  });
}

}  // namespace enfold::mcp::era_2025
