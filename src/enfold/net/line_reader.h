// SPDX-License-Identifier: Apache-2.0
// Cuts a stream of bytes into lines, without I/O. A line ends with LF; a CR before it is dropped;
// empty lines are skipped. A line beyond the limit is not kept: it is reported, and reading goes on
// behind its end, so that one noisy line costs one error and no memory.
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
    std::function<void(std::string_view line)> on_line;  ///< valid during the call
    /// As soon as a line is too long. Its first bytes are valid during the call; where: which line.
    std::function<void(const Error& error, std::string_view beginning)> on_oversize;
    /// At its end, with its last bytes: kKeptOfEnd of them at most. May be left out.
    std::function<void(std::string_view end)> on_skipped = nullptr;
  };
  static constexpr std::size_t kKeptOfEnd = 256;

  /// Calls back for every line that ends in `bytes`.
  void feed(std::string_view bytes, const Events& events);

  /// At the end of the stream: what came after the last LF, which is half a line.
  [[nodiscard]] Status finish();

  /// The beginning of the line that has not ended yet.
  [[nodiscard]] std::string_view rest() const { return partial_; }
  [[nodiscard]] std::size_t kept_bytes() const { return partial_.size(); }
  [[nodiscard]] std::size_t lines() const { return lines_; }

 private:
  void complete(std::string_view line, const Events& events);
  void start_skipping(std::string_view piece, const Events& events);
  void stop_skipping(const Events& events);
  void keep_end(std::string_view piece);

  std::size_t max_;
  std::size_t lines_ = 0;
  bool skipping_ = false;
  std::string partial_;
  std::string end_;  ///< of the line that is skipped
};

}  // namespace enfold::net
