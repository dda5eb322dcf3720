// SPDX-License-Identifier: Apache-2.0
// Two independently written JSON readers, reduced to what can be compared: an answer and the events
// of the document. Built without instrumentation, because only Enfold is under test.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace enfold::fuzz {

/// A document as one flat text, equal exactly when kinds, order, keys, decoded strings and number
/// values are.
class Events {
 public:
  void clear() { text_.clear(); }
  void null() { text_ += 'n'; }
  void boolean(bool value) { text_ += value ? 't' : 'f'; }
  void integer(std::int64_t value) { fixed('i', static_cast<std::uint64_t>(value)); }
  void unsigned_integer(std::uint64_t value) { fixed(value <= INT64_MAX ? 'i' : 'u', value); }
  void real(double value) { fixed('d', std::bit_cast<std::uint64_t>(value)); }
  void string(std::string_view decoded) { sized('s', decoded); }
  void key(std::string_view decoded) { sized('k', decoded); }
  void begin(bool object) { text_ += object ? '{' : '['; }
  void end(bool object) { text_ += object ? '}' : ']'; }

  friend bool operator==(const Events&, const Events&) = default;

 private:
  void fixed(char tag, std::uint64_t value) {
    text_ += tag;
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void sized(char tag, std::string_view bytes) {
    fixed(tag, bytes.size());
    text_ += bytes;
  }
  std::string text_;
};

/// Whether the peer accepts; `events` then holds the document. `padded` must be readable for 64
/// bytes past its end.
[[nodiscard]] bool read_with_simdjson(std::string_view padded, Events& events);
[[nodiscard]] bool read_with_nlohmann(std::string_view text, Events& events);

}  // namespace enfold::fuzz
