// SPDX-License-Identifier: Apache-2.0
// The bytes of packed cursors: numbers, texts and handles. A model reads a cursor with every page,
// so each of its bytes costs about one token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace enfold::contract {

class Packer {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  // LEB128: seven bits per byte, the lowest first; the highest bit is set if more follow.
  void number(std::uint64_t value) {
    for (; value > 0x7f; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  // A position in a list, negative if counted from its end. Zigzag: 0, -1, 1, -2 … are written as
  // 0, 1, 2, 3 …
  void position(std::int64_t value) {
    const auto doubled = static_cast<std::uint64_t>(value) << 1U;
    number(value < 0 ? ~doubled : doubled);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  // A handle of twelve digits is packed as a number; any other name as length and text. A length is
  // smaller than any such number, so Unpacker can distinguish them.
  void handle(std::string_view name) {
    const bool digits = name.size() == 12 && name.front() != '0' &&
                        name.find_first_not_of("0123456789") == std::string_view::npos;
    digits ? number(std::stoull(std::string(name))) : text(name);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what Packer wrote. After a read beyond the end, or of a number that is too long, all reads
// return 0 or an empty text, and `is_sound` is false.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  std::uint8_t byte() {
    if (rest_.empty()) return broken();
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) return value;
    }
    return broken();
  }
  std::int64_t position() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1U));
  }
  std::string text() { return text_of(number()); }
  // The next `size` bytes.
  std::string text_of(std::uint64_t size) {
    if (size > rest_.size()) return std::string(broken(), '\0');  // empty: broken() is 0
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }
  std::string handle() {
    constexpr std::uint64_t first = 100'000'000'000;  // twelve digits, the first is not 0
    constexpr std::uint64_t last = 999'999'999'999;
    const std::uint64_t value = number();
    return value >= first && value <= last ? std::to_string(value) : text_of(value);
  }
  [[nodiscard]] bool has_more() const { return !rest_.empty(); }
  // Whether every read succeeded and nothing is left.
  [[nodiscard]] bool is_sound() const { return sound_ && rest_.empty(); }

 private:
  // Ends the reading; returns the value of a failed read.
  std::uint8_t broken() {
    sound_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool sound_ = true;
};

}  // namespace enfold::contract
