// SPDX-License-Identifier: Apache-2.0
// Bytes that wait to be sent. Small pieces are joined, large ones are kept as they are; nothing is
// held when it is empty.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <sys/uio.h>
#include <vector>

namespace enfold::net::detail {

class OutputQueue {
 public:
  void push(std::string bytes);
  void pop(std::size_t bytes);
  void clear();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::string_view front() const;
  /// Fills `into` with the first pieces; returns how many.
  [[nodiscard]] std::size_t gather(std::span<iovec> into) const;

 private:
  std::vector<std::string> pieces_;
  std::size_t first_ = 0;   ///< the first piece that is not sent
  std::size_t offset_ = 0;  ///< how much of it is
  std::size_t size_ = 0;
};

}  // namespace enfold::net::detail
