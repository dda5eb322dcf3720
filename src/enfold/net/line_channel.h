// SPDX-License-Identifier: Apache-2.0
// Messages as lines over two descriptors: the stdio of this process or the pipes of a child. All
// lines that are sent in one loop iteration leave in one write.
#pragma once

#include "enfold/base/result.h"
#include "enfold/net/loop.h"
#include "enfold/net/stream.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace enfold::net {

struct LineLimits {
  /// Of a received line. Many MCP programs have this limit.
  std::size_t max_line_bytes = std::size_t{10} << 20;
  /// Queued bytes from which send() returns full.
  std::size_t high_water_bytes = std::size_t{1} << 20;
  std::size_t max_queued_bytes = std::size_t{64} << 20;  ///< queued bytes from which send() refuses
};

/// Any of these may be empty. Texts are valid during the call.
struct LineEvents {
  Callback<void(std::string_view line)> on_line;
  /// A line is too long, or the input ended inside a line. Reading continues.
  Callback<void(const Error& error)> on_noise;
  /// If set, called instead of on_noise for a line that is too long, as soon as that is known, with
  /// its first max_line_bytes. on_skipped follows with its last bytes when the line ends; if the
  /// input ends first, only on_end follows.
  Callback<void(const Error& error, std::string_view beginning)> on_oversize;
  Callback<void(std::string_view end)> on_skipped;
  /// If set, called instead of on_noise if the input ends inside a line, with the line so far.
  Callback<void(const Error& error, std::string_view rest)> on_rest;
  Callback<void()> on_end;  ///< the peer sends no more; called once, and not after close()
  /// A descriptor failed. After a failure of the output nothing more can be sent, but input may
  /// still come; after a failure of the input, on_end follows.
  Callback<void(const Error& error)> on_failure;
  /// After send() returned full: fewer bytes than high_water_bytes are queued.
  Callback<void()> on_writable;
};

/// Cuts a stream of bytes into lines, without I/O. A line ends with LF; a CR before it is dropped;
/// empty lines are skipped. Of a line beyond the limit only the last kKeptOfEnd bytes are kept
/// after it was reported.
class LineReader {
 public:
  static constexpr std::size_t kKeptOfEnd = 256;  ///< bytes that on_skipped gets at most

  explicit LineReader(std::size_t max_line_bytes) : max_(max_line_bytes) {}

  /// Calls back for the lines that end in `bytes`, for at most `max_lines` of them, and until a
  /// callback sets `stopped`. Returns how many bytes were read; the others must be fed again.
  std::size_t feed(std::string_view bytes, LineEvents& events, const bool& stopped,
                   std::size_t max_lines = std::numeric_limits<std::size_t>::max());
  /// At the end of the stream: an error if it ends inside a line that is not skipped. Clears
  /// rest().
  [[nodiscard]] Status finish();
  /// The beginning of the line that has not ended yet.
  [[nodiscard]] std::string_view rest() const { return partial_; }

 private:
  void complete(std::string_view line, LineEvents& events);
  /// The line is too long: `piece` is what has come after `partial_`.
  void start_skipping(std::string_view piece, LineEvents& events);
  void stop_skipping(LineEvents& events);
  /// Appends to `end_` and keeps only its last bytes.
  void keep_end(std::string_view piece);

  std::size_t max_;        ///< most bytes of a line
  std::size_t lines_ = 0;  ///< number of lines so far, for error messages
  bool skipping_ = false;  ///< the current line is too long
  std::string partial_;    ///< the line that has not ended yet
  std::string end_;        ///< last bytes of the line that is skipped
};

/// Reads and writes lines. In one iteration of the loop only some hundred lines are reported, so
/// that a peer that writes many short lines does not delay others.
class LineChannel {
 public:
  /// `input` and `output` must be non-blocking, or sockets. If `output` is empty, as when the error
  /// output of a child is read, send() refuses.
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

  /// `full`: the line is queued too, but wait for on_writable. `refused`: it is not queued.
  enum class Sent { queued, full, refused };
  /// Adds the line feed. Refused: a text with a line feed in it (it would be two messages), a queue
  /// beyond max_queued_bytes, and every line after finish_output(), close() or a failed write.
  Sent send(std::string line);
  /// Ignores max_queued_bytes: for short messages that must arrive.
  Sent send_anyway(std::string line);
  [[nodiscard]] std::size_t queued() const;

  void pause();  ///< some lines that were already read may still come
  void resume();
  void hold();  ///< as pause(), but no line comes until release(), not even one already read
  void release();
  /// Sends what is queued, then closes the output. Input continues.
  void finish_output();
  void close();  ///< drops queued lines; no callback follows

 private:
  class State;
  explicit LineChannel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
  Loop* loop_ = nullptr;
};

/// A second descriptor for standard input or output. A socket or a file on disk is duplicated. A
/// pipe or a terminal is opened again without blocking; if that fails, it is duplicated and made
/// non-blocking for all programs that share it.
[[nodiscard]] Result<FileDescriptor> reopen_without_blocking(int descriptor, bool for_input);

}  // namespace enfold::net
