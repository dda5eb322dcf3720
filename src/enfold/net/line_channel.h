// SPDX-License-Identifier: Apache-2.0
// Messages as lines over two descriptors: the stdio of this process or the pipes of a child. All
// that is sent in one turn leaves in one write.
#pragma once

#include "enfold/net/line_reader.h"
#include "enfold/net/loop.h"
#include "enfold/net/stream.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace enfold::net {

struct LineLimits {
  std::size_t max_line_bytes = std::size_t{10} << 20;    ///< what common peers take as one message
  std::size_t high_water_bytes = std::size_t{1} << 20;   ///< send() says full from here on
  std::size_t max_queued_bytes = std::size_t{64} << 20;  ///< send() refuses from here on
};

struct LineEvents {
  Callback<void(std::string_view line)> on_line;
  Callback<void(const Error& error)> on_noise;  ///< too long a line, half a line; reading goes on
  /// In place of on_noise for too long a line, with what came of it; then on_skipped at its end,
  /// with its last bytes.
  Callback<void(const Error& error, std::string_view beginning)> on_oversize;
  Callback<void(std::string_view end)> on_skipped;
  /// In place of on_noise for half a line at the end of the input, with what came of it.
  Callback<void(const Error& error, std::string_view rest)> on_rest;
  Callback<void()> on_end;  ///< the peer sends no more; comes once, unless the channel is closed
  /// A descriptor broke. If it is the output, nothing more can be sent, but what the peer said last
  /// may still come; if it is the input, on_end follows.
  Callback<void(const Error& error)> on_failure;
  Callback<void()> on_drain;  ///< the queue fell below the high-water mark
};

class LineChannel {
 public:
  /// Descriptors that do not block, or sockets. Without an output (the error output of a child is
  /// only read) send() refuses.
  [[nodiscard]] static Result<std::unique_ptr<LineChannel>> open(Loop& loop, FileDescriptor input,
                                                                 FileDescriptor output,
                                                                 const LineLimits& limits,
                                                                 LineEvents events);
  /// Standard input and output of this process. They are opened a second time where that is
  /// possible, because O_NONBLOCK on the first would hit every process that shares them.
  [[nodiscard]] static Result<std::unique_ptr<LineChannel>> open_stdio(Loop& loop,
                                                                       const LineLimits& limits,
                                                                       LineEvents events);
  LineChannel(const LineChannel&) = delete;
  LineChannel& operator=(const LineChannel&) = delete;
  ~LineChannel();

  enum class Sent { queued, full, refused };
  /// Adds the line feed. A text with a line feed in it is refused: it would be two messages.
  Sent send(std::string line);
  /// Beyond the limit too: for what is short and must arrive.
  Sent send_anyway(std::string line);
  [[nodiscard]] std::size_t queued() const;

  void pause();
  void resume();
  /// Sends what is queued, then closes the output. Input goes on.
  void finish_output();
  void close();

 private:
  class State;
  explicit LineChannel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
  Loop* loop_ = nullptr;
};

/// A second, non-blocking descriptor for what `descriptor` refers to. Sockets are duplicated.
[[nodiscard]] Result<FileDescriptor> reopen_without_blocking(int descriptor, bool for_input);

}  // namespace enfold::net
