// SPDX-License-Identifier: Apache-2.0
// Made-up secrets, put together at run time so that no scanner of repositories stumbles on them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::redact::fake {

/// `n` letters and digits that look random; another `seed` gives others.
inline std::string body(
    std::size_t n, unsigned seed = 7,
    std::string_view alphabet = "a7Kd9QzR2mXw4LbT8vNc3HsJ6fYp5GtE1uBgWkZx0qVrMyPn") {
  std::string text;
  unsigned state = seed * 2654435761U + 1;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 1664525U + 1013904223U;
    text.push_back(alphabet[(state >> 16) % alphabet.size()]);
  }
  // Every class is in there, whatever the seed.
  if (n >= 4) text.replace(n - 3, 3, alphabet.substr(0, 3));
  return text;
}
inline std::string upper(std::size_t n) { return body(n, 3, "A7KD9QZR2MXW4LBT"); }
inline std::string hex(std::size_t n) { return body(n, 5, "a7d9c2f4e8b03165"); }

inline std::string github() { return std::string("gh") + "p_" + body(36); }
inline std::string aws_id() { return std::string("AK") + "IA" + upper(16); }
inline std::string jwt() {
  return std::string("ey") + "J" + body(20) + "." + "ey" + "J" + body(40, 9) + "." + body(43, 11);
}
inline std::string pem(std::string_view newline = "\n", std::string_view kind = "RSA ") {
  const std::string name = std::string(kind) + "PRIVATE" + " KEY";
  std::string text = "-----BEGIN " + name + "-----";
  for (unsigned line = 0; line < 4; ++line) text += std::string(newline) + body(64, line + 20);
  return text + std::string(newline) + "-----END " + name + "-----";
}

}  // namespace enfold::redact::fake
