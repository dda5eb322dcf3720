// SPDX-License-Identifier: Apache-2.0
// Owned bytes followed by zeroed padding, so that the scanner may read a whole vector past the end.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace enfold::json {

class Buffer {
 public:
  static constexpr std::size_t kPadding = 64;

  Buffer() = default;
  explicit Buffer(std::string_view bytes) { append(bytes); }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  /// Room for at least `bytes` more; write there, then `commit` what was written.
  [[nodiscard]] char* prepare(std::size_t bytes);
  void commit(std::size_t bytes);
  void append(std::string_view bytes);

  // For many small pieces: as above, but without the padding, which pad() adds at the end.
  [[nodiscard]] char* room(std::size_t bytes) {
    return size_ + bytes + kPadding <= capacity_ ? data_ + size_ : prepare(bytes);
  }
  void advance(std::size_t bytes) { size_ += bytes; }
  void put(std::string_view bytes);
  void pad();

  [[nodiscard]] const char* data() const { return data_ != nullptr ? data_ : kEmpty; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::string_view view() const { return {data(), size_}; }

 private:
  static constexpr char kEmpty[kPadding] = {};
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace enfold::json
