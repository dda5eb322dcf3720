// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/buffer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace enfold::json {

Buffer::~Buffer() { std::free(data_); }

char* Buffer::prepare(std::size_t bytes) {
  const std::size_t needed = size_ + bytes + kPadding;
  if (needed > capacity_) {
    const std::size_t capacity = std::max(needed, capacity_ + capacity_ / 2);
    void* grown = data_ == nullptr ? std::malloc(capacity) : std::realloc(data_, capacity);
    if (grown == nullptr) throw std::bad_alloc();
    data_ = static_cast<char*>(grown);
    capacity_ = capacity;
  }
  return data_ + size_;
}

void Buffer::commit(std::size_t bytes) {
  size_ += bytes;
  std::memset(data_ + size_, 0, kPadding);
}

void Buffer::put(std::string_view bytes) {
  char* to = room(bytes.size());
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  size_ += bytes.size();
}

void Buffer::pad() {
  char* to = room(0);
  std::memset(to, 0, kPadding);
}

void Buffer::append(std::string_view bytes) {
  char* to = prepare(bytes.size());
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  commit(bytes.size());
}

}  // namespace enfold::json
