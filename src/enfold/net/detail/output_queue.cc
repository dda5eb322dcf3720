// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/detail/output_queue.h"

#include <algorithm>
#include <utility>

namespace enfold::net::detail {
namespace {

constexpr std::size_t kJoinBelow = std::size_t{16} << 10;
constexpr std::size_t kKept = 2;

}  // namespace

void OutputQueue::push(std::string bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  if (first_ < pieces_.size() && pieces_.back().size() + bytes.size() <= kJoinBelow)
    pieces_.back() += bytes;
  else
    pieces_.push_back(std::move(bytes));
}

void OutputQueue::pop(std::size_t bytes) {
  size_ -= bytes;
  if (size_ == 0) {
    clear();
    return;
  }
  offset_ += bytes;
  while (offset_ >= pieces_[first_].size()) {
    offset_ -= pieces_[first_].size();
    pieces_[first_] = std::string();
    ++first_;
  }
  if (first_ < 64) return;
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

void OutputQueue::clear() {
  // The bytes go; a place for the next piece is no burden on an idle connection.
  pieces_.clear();
  if (pieces_.capacity() > kKept) std::vector<std::string>().swap(pieces_);
  first_ = offset_ = size_ = 0;
}

std::string_view OutputQueue::front() const {
  if (size_ == 0) return {};
  return std::string_view(pieces_[first_]).substr(offset_);
}

std::size_t OutputQueue::gather(std::span<iovec> into) const {
  const std::size_t count = std::min(into.size(), pieces_.size() - first_);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& piece = pieces_[first_ + i];
    const std::size_t skipped = i == 0 ? offset_ : 0;
    // iovec has no const; writev() only reads.
    into[i] = {const_cast<char*>(piece.data()) + skipped, piece.size() - skipped};
  }
  return count;
}

}  // namespace enfold::net::detail
