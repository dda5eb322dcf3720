// SPDX-License-Identifier: Apache-2.0
// Lines of stack traces, alone or inside of a log.
#pragma once

#include "enfold/budget/text/counts.h"
#include "enfold/budget/text/lines.h"

namespace enfold::budget::text {

/// The lines of one text in their order: frames, and the lines that name an exception.
class TraceReader {
 public:
  struct Exception {
    Line line;
    std::size_t first_frame = 0;  ///< index of the frame behind it
  };

  void read(const Line& line);
  /// The line is no frame and ends no trace, but may come before the first frame of one.
  void skip(const Line& line) {
    before_ = line;
    before_frame_ = false;
  }

  std::vector<Exception> exceptions;
  std::vector<Line> frames;
  bool python = false;

 private:
  Line before_;
  bool before_frame_ = false;
};

/// How many exceptions of each class: "java.io.IOException" of "Caused by: java.io.IOException: x".
/// Lines that name no class count as "other".
[[nodiscard]] Counts classes_of(const std::vector<TraceReader::Exception>& exceptions);

}  // namespace enfold::budget::text
