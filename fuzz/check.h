// SPDX-License-Identifier: Apache-2.0
// What a fuzz target says before it stops: the broken claim and the input, escaped to one line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace enfold::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds, const char* claim, std::string_view input) {
  if (holds) return;
  std::fprintf(stderr, "claim does not hold: %s\n  input (%zu bytes): ", claim, input.size());
  for (const char c : input.substr(0, 2000)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7F && c != '\\';
    std::fprintf(stderr, plain ? "%c" : "\\x%02x", byte);
  }
  std::fputc('\n', stderr);
  std::abort();
}

}  // namespace enfold::fuzz
