// SPDX-License-Identifier: Apache-2.0
// Lines of stack traces, alone or inside of a log.
#pragma once

#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/lines.h"

namespace enfold::budget::text {

enum class FrameKind : std::uint8_t { none, python, other };

/// The lines of one text in their order: frames, and the lines that name an exception.
class TraceReader {
 public:
  struct Exception {
    Line line;                    ///< that names the exception
    std::size_t first_frame = 0;  ///< index in `frames` of its first frame
    std::size_t end_frame = 0;    ///< index after its last frame
    bool python = false;          ///< its frames come before it, the innermost last
  };

  void read(const Line& line);
  /// In place of `read`, for a line with a time stamp: it is no frame and no exception after
  /// frames, but may name the exception whose frames follow.
  void skip(const Line& line) {
    before_ = line;
    last_ = FrameKind::none;
  }

  std::vector<Exception> exceptions;
  std::vector<Line> frames;

 private:
  void add_frame(const Line& line, FrameKind kind);

  Line before_;                         ///< the last line that belongs to no frame
  FrameKind last_ = FrameKind::none;    ///< of the frame that the next line follows; none: of none
  std::size_t first_of_traceback_ = 0;  ///< index of the first frame of the last Python traceback
};

/// How many exceptions of each class: "java.io.IOException" of "Caused by: java.io.IOException: x".
/// Lines that name no class count as "other".
[[nodiscard]] Counts classes_of(const std::vector<TraceReader::Exception>& exceptions);

}  // namespace enfold::budget::text
