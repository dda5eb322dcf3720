// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <vector>

namespace enfold {
namespace {

constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// The value of each Base64 digit, 255 for other bytes.
std::array<std::uint8_t, 256> digits_of(char for_62, char for_63) {
  std::array<std::uint8_t, 256> table{};
  table.fill(255);
  for (std::uint8_t i = 0; i < 62; ++i) table[static_cast<unsigned char>(kUrlAlphabet[i])] = i;
  table[static_cast<unsigned char>(for_62)] = 62;
  table[static_cast<unsigned char>(for_63)] = 63;
  return table;
}

std::optional<std::string> decode(std::string_view text,
                                  const std::array<std::uint8_t, 256>& digits) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const std::size_t length = text.size() - padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  for (std::size_t at = 0; at < length; ++at) {
    const std::uint8_t digit = digits[static_cast<unsigned char>(text[at])];
    if (digit == 255) return std::nullopt;
    group = group << 6 | digit;
    if (at % 4 == 3) {
      for (int shift = 16; shift >= 0; shift -= 8) out.push_back(static_cast<char>(group >> shift));
      group = 0;
    }
  }
  if (padding == 1) {
    if ((group & 3U) != 0) return std::nullopt;
    out.push_back(static_cast<char>(group >> 10));
    out.push_back(static_cast<char>(group >> 2));
  } else if (padding == 2) {
    if ((group & 15U) != 0) return std::nullopt;
    out.push_back(static_cast<char>(group >> 4));
  }
  return out;
}

constexpr std::size_t kLongestName = 64;  // the distance takes quadratic time

// Damerau-Levenshtein distance: insertions, deletions, substitutions, adjacent transpositions.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out(bytes.size() * 2, '\0');
  char* to = out.data();
  for (const std::uint8_t byte : bytes) {
    *to++ = digits[byte >> 4];
    *to++ = digits[byte & 15U];
  }
  return out;
}

std::string to_base64url(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < have ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out.push_back(i <= have ? kUrlAlphabet[group >> (18 - 6 * i) & 63U] : '=');
    }
  }
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  static const auto digits = digits_of('-', '_');
  return decode(text, digits);
}

std::optional<std::string> from_base64(std::string_view text) {
  static const auto digits = digits_of('+', '/');
  return decode(text, digits);
}

std::string to_lower(std::string_view ascii) {
  std::string out(ascii);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out.push_back(text[at]);
      continue;
    }
    unsigned value = 0;
    const char* digits = text.data() + at + 1;
    if (text.size() - at < 3 || std::from_chars(digits, digits + 2, value, 16).ptr != digits + 2) {
      return std::nullopt;
    }
    out.push_back(static_cast<char>(value));
    at += 2;
  }
  return out;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string nearest_name(std::string_view typed, std::span<const std::string> known) {
  if (typed.empty() || typed.size() > kLongestName) return {};
  const std::string wanted = to_lower(typed);
  std::string best;
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : known) {
    if (name.size() > kLongestName) continue;
    const std::string lower = to_lower(name);
    const bool begins = typed.size() >= 3 && lower.starts_with(wanted);
    const std::size_t far = begins ? 1 : distance(wanted, lower);
    if (far < least) {
      best = name;
      least = far;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> known,
                         const std::string& otherwise) {
  const std::string name = nearest_name(typed, known);
  return name.empty() ? otherwise : "did you mean " + name + "?";
}

}  // namespace enfold
