// SPDX-License-Identifier: Apache-2.0
// Messages as lines over two descriptors: the stdio of this process or the pipes of a child. All
// lines that are sent in one loop iteration leave in one write.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/loop.h"
#include "enfold/net/stream.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace enfold::net {

struct LineLimits {
  std::size_t max_line_bytes = std::size_t{10} << 20;  ///< the limit of many other MCP programs
  std::size_t high_water_bytes = std::size_t{1}
                                 << 20;  ///< queued bytes from which send() returns full
  std::size_t max_queued_bytes = std::size_t{64} << 20;  ///< queued bytes from which send() refuses
};

/// Any of these may be empty. Texts are valid during the call.
struct LineEvents {
  Callback<void(std::string_view line)> on_line;
  /// A line is too long, or the input ended inside a line. Reading continues.
  Callback<void(const Error& error)> on_noise;
  /// Replaces on_noise for a line that is too long, with its first bytes. on_skipped follows when
  /// the line ends, with its last bytes.
  Callback<void(const Error& error, std::string_view beginning)> on_oversize;
  Callback<void(std::string_view end)> on_skipped;
  /// Replaces on_noise for an input that ends inside a line, with the bytes of that line.
  Callback<void(const Error& error, std::string_view rest)> on_rest;
  Callback<void()> on_end;  ///< the peer sends no more; called once, unless the channel is closed
  /// A descriptor failed. After a failure of the output nothing more can be sent, but input may
  /// still come; after a failure of the input, on_end follows.
  Callback<void(const Error& error)> on_failure;
  Callback<void()> on_writable;  ///< the queue fell below the high-water mark
};

/// Cuts a stream of bytes into lines, without I/O. A line ends with LF; a CR before it is dropped;
/// empty lines are skipped. A line beyond the limit is reported and not kept: it costs one error
/// and no memory.
class LineReader {
 public:
  static constexpr std::size_t kKeptOfEnd = 256;  ///< bytes that on_skipped gets at most

  explicit LineReader(std::size_t max_line_bytes) : max_(max_line_bytes) {}

  /// Calls back for every line that ends in `bytes`, until `stopped` becomes true.
  void feed(std::string_view bytes, LineEvents& events, const bool& stopped);
  /// At the end of the stream: an error if it ends inside a line.
  [[nodiscard]] Status finish();
  /// The beginning of the line that has not ended yet.
  [[nodiscard]] std::string_view rest() const { return partial_; }

 private:
  void complete(std::string_view line, LineEvents& events);
  void start_skipping(std::string_view piece, LineEvents& events);
  void stop_skipping(LineEvents& events);
  void keep_end(std::string_view piece);

  std::size_t max_;
  std::size_t lines_ = 0;  ///< number of lines so far, for messages
  bool skipping_ = false;  ///< the current line is too long
  std::string partial_;    ///< the line that has not ended yet
  std::string end_;        ///< last bytes of the line that is skipped
};

class LineChannel {
 public:
  /// `input` and `output` must be non-blocking, or sockets. Without an output, such as for the
  /// error output of a child, send() refuses.
  [[nodiscard]] static Result<std::unique_ptr<LineChannel>> open(Loop& loop, FileDescriptor input,
                                                                 FileDescriptor output,
                                                                 const LineLimits& limits,
                                                                 LineEvents events);
  /// Standard input and output of this process. They are opened a second time if
  /// possible, because O_NONBLOCK would affect every process that shares the first descriptor.
  [[nodiscard]] static Result<std::unique_ptr<LineChannel>> open_stdio(Loop& loop,
                                                                       const LineLimits& limits,
                                                                       LineEvents events);
  LineChannel(const LineChannel&) = delete;
  LineChannel& operator=(const LineChannel&) = delete;
  ~LineChannel();

  enum class Sent { queued, full, refused };
  /// Adds the line feed. A text with a line feed in it is refused: it would be two messages.
  Sent send(std::string line);
  /// Ignores max_queued_bytes: for short messages that must arrive.
  Sent send_anyway(std::string line);
  [[nodiscard]] std::size_t queued() const;

  void pause();
  void resume();
  /// Sends what is queued, then closes the output. Input continues.
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
