// SPDX-License-Identifier: Apache-2.0
// Cuts a stream of bytes into lines, without I/O. A line ends with LF; a CR before it is dropped;
// empty lines are skipped. A line beyond the limit is not kept: it is reported once, and reading
// goes on behind its end, so that one noisy line costs one error and no memory.
#pragma once

#include "enfold/base/result.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace enfold::net {

class LineReader {
 public:
  explicit LineReader(std::size_t max_line_bytes) : max_(max_line_bytes) {}

  struct Events {
    std::function<void(std::string_view line)> on_line;   ///< valid during the call
    std::function<void(const Error& error)> on_oversize;  ///< where: which line it was
  };

  /// Calls back for every line that ends in `bytes`.
  void feed(std::string_view bytes, const Events& events);

  /// At the end of the stream: what came after the last LF, which is half a line.
  [[nodiscard]] Status finish();

  [[nodiscard]] std::size_t kept_bytes() const { return partial_.size(); }
  [[nodiscard]] std::size_t lines() const { return lines_; }

 private:
  void complete(std::string_view line, const Events& events);
  void start_skipping(const Events& events);

  std::size_t max_;
  std::size_t lines_ = 0;
  bool skipping_ = false;
  std::string partial_;
};

}  // namespace enfold::net
