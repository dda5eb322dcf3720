// SPDX-License-Identifier: Apache-2.0
// The event stream of the dashboard (SSE). Rows are taken from the recorder four times a second
// while there are readers, so a call costs the same with readers and without. A reader that does
// not keep up loses rows and is told how many.
#pragma once

#include "enfold/gateway/admin/record/recorder.h"
#include "enfold/net/http/server.h"

#include <list>

namespace enfold::gateway {

class EventStream {
 public:
  static constexpr std::chrono::milliseconds kPeriod{250};
  static constexpr std::size_t kMaxRows = 500;                     ///< of an event
  static constexpr std::size_t kMaxQueued = std::size_t{1} << 20;  ///< bytes of a reader
  static constexpr std::size_t kMaxReaders = 32;
  static constexpr int kStatePeriods = 8;     ///< 2 s
  static constexpr int kCommentPeriods = 60;  ///< 15 s

  /// `write_state` writes the members of the event `state` into an open object.
  EventStream(net::Loop& loop, const Recorder& recorder,
              std::function<void(json::Writer&)> write_state);

  /// Whether a reader may read on.
  using IsAllowed = std::function<bool()>;
  /// Answers with the stream, from the next call on; 503 for too many readers.
  void open(net::Responder responder, IsAllowed is_allowed);
  /// Ends the streams of readers that may not read any more. Each event does so too.
  void end_refused();
  /// Ends all streams, so that the server can drain.
  void close_all();
  [[nodiscard]] std::size_t readers() const { return readers_.size(); }

 private:
  struct Reader {
    net::BodyWriter writer;
    IsAllowed is_allowed;
    std::uint64_t last_id = 0;  ///< of the last call that it was sent, or that it lost
    std::uint64_t dropped = 0;  ///< rows that it lost since its last event
  };
  void tick();
  void send_rows(Reader& reader);
  [[nodiscard]] std::string state_event() const;
  void send_to_all(std::string_view text);

  const Recorder& recorder_;
  std::function<void(json::Writer&)> write_state_;
  std::list<Reader> readers_;
  int periods_ = 0;
  std::uint64_t rows_from_ = 0;  ///< `rows_` has the calls after this id …
  std::uint64_t rows_to_ = 0;    ///< … up to this one
  std::string rows_;             ///< the rows of the last event, written once for all readers
  std::uint64_t rows_left_out_ = 0;
  net::Timer timer_;
};

}  // namespace enfold::gateway
