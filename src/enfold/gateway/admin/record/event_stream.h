// SPDX-License-Identifier: Apache-2.0
// The event stream of the dashboard (SSE). While there are readers, a timer takes the new rows from
// the recorder four times a second; a call does no work for readers. A reader that does not keep up
// loses rows; its next event has their number.
#pragma once

#include "enfold/gateway/admin/record/recorder.h"
#include "enfold/net/http/server.h"

#include <list>

namespace enfold::gateway {

class EventStream {
 public:
  static constexpr std::chrono::milliseconds kPeriod{250};
  static constexpr std::size_t kMaxRows = 500;  ///< in one event; older ones are dropped
  /// Bytes that may wait for a reader; while it has more, it gets no events.
  static constexpr std::size_t kMaxQueued = std::size_t{1} << 20;
  static constexpr std::size_t kMaxReaders = 32;
  static constexpr int kStatePeriods = 8;     ///< between events `state`: 2 s
  static constexpr int kCommentPeriods = 60;  ///< between comments that keep the stream open: 15 s

  /// `write_state` writes the members of the event `state` into an open object.
  EventStream(net::Loop& loop, const Recorder& recorder,
              std::function<void(json::Writer&)> write_state);

  /// Whether a reader is still allowed to read, for example has not logged out.
  using IsAllowed = std::function<bool()>;
  /// Responds with the stream: the state, then calls that end from now on; 503 if there are too
  /// many readers.
  void open(net::Responder responder, IsAllowed is_allowed);
  /// Ends the streams of readers that are not allowed to read any more. The timer does so too,
  /// before it sends events.
  void end_refused();
  /// Ends all streams, so that the server can drain.
  void close_all();
  [[nodiscard]] std::size_t readers() const { return readers_.size(); }

 private:
  struct Reader {
    net::BodyWriter writer;
    IsAllowed is_allowed;
    std::uint64_t last_id = 0;  ///< of the last call that was sent to this reader or dropped
    std::uint64_t dropped = 0;  ///< rows that this reader lost since its last event
  };
  void tick();
  void send_rows(Reader& reader);
  [[nodiscard]] std::string state_event() const;
  void send_to_all(std::string_view text);

  const Recorder& recorder_;
  std::function<void(json::Writer&)> write_state_;
  std::list<Reader> readers_;
  int periods_ = 0;                  ///< ticks so far
  std::string rows_;                 ///< the rows written last, as JSON, for the next readers too
  std::uint64_t rows_from_ = 0;      ///< `rows_` has the calls after this id …
  std::uint64_t rows_to_ = 0;        ///< … up to this id, but for …
  std::uint64_t rows_left_out_ = 0;  ///< … so many of the oldest ones
  net::Timer timer_;
};

}  // namespace enfold::gateway
