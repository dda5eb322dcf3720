// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/line_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace enfold::net {

void LineReader::feed(std::string_view bytes, const Events& events) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const bool whole = end != std::string_view::npos;
    const std::string_view piece = bytes.substr(0, whole ? end : bytes.size());
    bytes.remove_prefix(whole ? end + 1 : bytes.size());
    if (!skipping_ && partial_.size() + piece.size() > max_) start_skipping(piece, events);
    if (skipping_) {
      keep_end(piece);
      if (whole) stop_skipping(events);
    } else if (!whole) {
      partial_.append(piece);
    } else if (partial_.empty()) {
      complete(piece, events);
    } else {
      partial_.append(piece);
      // RateDecision out, so that a long line does not keep its memory when it is done with.
      const std::string line = std::exchange(partial_, {});
      complete(line, events);
    }
  }
}

void LineReader::complete(std::string_view line, const Events& events) {
  ++lines_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!line.empty()) events.on_line(line);
}

void LineReader::start_skipping(std::string_view piece, const Events& events) {
  skipping_ = true;
  ++lines_;
  std::string beginning = std::exchange(partial_, {});
  keep_end(beginning);
  beginning.append(piece.substr(0, max_ - beginning.size()));
  events.on_oversize(
      Error{ErrorCode::limit_exceeded,
            fmt::format("a line is longer than {} bytes and was skipped", max_),
            fmt::format("line {}", lines_), "raise the line limit, or send smaller messages"},
      beginning);
}

void LineReader::keep_end(std::string_view piece) {
  end_.append(piece.substr(piece.size() - std::min(piece.size(), kKeptOfEnd)));
  if (end_.size() > kKeptOfEnd) end_.erase(0, end_.size() - kKeptOfEnd);
}

void LineReader::stop_skipping(const Events& events) {
  skipping_ = false;
  const std::string end = std::exchange(end_, {});
  if (events.on_skipped) events.on_skipped(end);
}

Status LineReader::finish() {
  skipping_ = false;
  end_.clear();
  if (partial_.empty()) return {};
  const std::size_t size = std::exchange(partial_, {}).size();
  return fail(ErrorCode::protocol_violation,
              fmt::format("the stream ended inside a line, after {} bytes of it", size),
              fmt::format("line {}", lines_ + 1), "end every message with a line feed");
}

}  // namespace enfold::net
