// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/line_reader.h"

#include <fmt/format.h>
#include <utility>

namespace enfold::net {

void LineReader::feed(std::string_view bytes, const Events& events) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const bool whole = end != std::string_view::npos;
    const std::string_view piece = bytes.substr(0, whole ? end : bytes.size());
    bytes.remove_prefix(whole ? end + 1 : bytes.size());
    if (!skipping_ && partial_.size() + piece.size() > max_) start_skipping(events);
    if (skipping_) {
      if (whole) skipping_ = false;
    } else if (!whole) {
      partial_.append(piece);
    } else if (partial_.empty()) {
      complete(piece, events);
    } else {
      partial_.append(piece);
      // Taken out, so that a long line does not keep its memory when it is done with.
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

void LineReader::start_skipping(const Events& events) {
  skipping_ = true;
  ++lines_;
  std::string().swap(partial_);
  events.on_oversize(Error{ErrorCode::limit_exceeded,
                           fmt::format("a line is longer than {} bytes and was skipped", max_),
                           fmt::format("line {}", lines_),
                           "raise the line limit, or send smaller messages"});
}

Status LineReader::finish() {
  skipping_ = false;
  if (partial_.empty()) return {};
  const std::size_t size = std::exchange(partial_, {}).size();
  return fail(ErrorCode::protocol_violation,
              fmt::format("the stream ended inside a line, after {} bytes of it", size),
              fmt::format("line {}", lines_ + 1), "end every message with a line feed");
}

}  // namespace enfold::net
