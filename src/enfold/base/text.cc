// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"

#include "enfold/base/grapheme.h"

#include <array>
#include <charconv>
#include <cstring>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold {
namespace {

constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// The value of each Base64 digit, 255 for other bytes. The last two digits, with the values 62 and
// 63, differ between the alphabets.
std::array<std::uint8_t, 256> base64_digit_values(char digit_62, char digit_63) {
  std::array<std::uint8_t, 256> table{};
  table.fill(255);
  for (std::uint8_t i = 0; i < 62; ++i) table[static_cast<unsigned char>(kUrlAlphabet[i])] = i;
  table[static_cast<unsigned char>(digit_62)] = 62;
  table[static_cast<unsigned char>(digit_63)] = 63;
  return table;
}

// `digits`: the result of base64_digit_values(). nullopt: see from_base64url().
std::optional<std::string> decode_base64(std::string_view text,
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

// Bytes. Longer names are not compared, because edit_distance() takes quadratic time.
constexpr std::size_t kLongestName = 64;

// Damerau-Levenshtein distance: insertions, deletions, substitutions, adjacent transpositions.
std::size_t edit_distance(std::string_view a, std::string_view b) {
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
  static const auto digits = base64_digit_values('-', '_');
  return decode_base64(text, digits);
}

std::optional<std::string> from_base64(std::string_view text) {
  static const auto digits = base64_digit_values('+', '/');
  return decode_base64(text, digits);
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string percent_encode(std::string_view text, std::string_view kept) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_alphanumeric(c) || kept.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
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
  // Loops are faster here: find_first_not_of() would call memchr for each character.
  const auto is_blank = [blanks](char c) {
    for (const char blank : blanks) {
      if (c == blank) return true;
    }
    return false;
  };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string nearest_name(std::string_view typed, std::span<const std::string> known) {
  if (typed.empty() || typed.size() > kLongestName) return {};
  const std::string wanted = to_lower(typed);
  std::string best;
  std::size_t fewest_edits = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : known) {
    if (name.size() > kLongestName) continue;
    const std::string lower = to_lower(name);
    // A name that begins with what was typed counts as one edit away.
    const bool is_beginning = typed.size() >= 3 && lower.starts_with(wanted);
    const std::size_t edits = is_beginning ? 1 : edit_distance(wanted, lower);
    if (edits < fewest_edits) {
      best = name;
      fewest_edits = edits;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> known,
                         const std::string& otherwise) {
  const std::string name = nearest_name(typed, known);
  return name.empty() ? otherwise : "did you mean " + name + "?";
}

namespace utf8 {
namespace {

// Number of ASCII bytes at the beginning, in steps of eight: up to seven more may follow, which
// sequence_length() then reads.
std::size_t ascii_length(std::string_view bytes) {
  std::size_t at = 0;
  for (std::uint64_t eight = 0; at + sizeof eight <= bytes.size(); at += sizeof eight) {
    std::memcpy(&eight, bytes.data() + at, sizeof eight);
    if ((eight & 0x8080808080808080ULL) != 0) break;
  }
  return at;
}

// Bytes of the well-formed sequence at `at`; 0: there is none (Unicode 16, table 3-7).
std::size_t sequence_length(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return continues(1) ? 2 : 0;
  if (lead < 0xF0) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead > 0xF4 || !continues(1) || !continues(2) || !continues(3)) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return 4;
}

}  // namespace

std::optional<std::size_t> first_invalid(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    at += ascii_length(bytes.substr(at));
    if (at == bytes.size()) break;
    const std::size_t length = sequence_length(bytes, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

char* encode(std::uint32_t code_point, char* to) {
  const auto put = [&](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
  const auto put_continuation = [&](int shift) { put(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put_continuation(6);
  } else {
    put(0xF0 | code_point >> 18);
    put_continuation(12);
    put_continuation(6);
  }
  if (code_point >= 0x80) put_continuation(0);
  return to;
}

void append(std::string& out, std::uint32_t code_point) {
  char bytes[4];
  out.append(bytes, encode(code_point, bytes));
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  std::size_t at = 0;
#if defined(__SSE2__)
  // Counts the bytes that are not continuation bytes: as signed bytes, they are greater than -65.
  // The comparison gives -1 for each of them; the result is negated, and sad_epu8 adds up each
  // half.
  for (; at + 16 <= text.size(); at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i first = _mm_cmpgt_epi8(bytes, _mm_set1_epi8(-65));
    const __m128i sums =
        _mm_sad_epu8(_mm_sub_epi8(_mm_setzero_si128(), first), _mm_setzero_si128());
    count += static_cast<std::size_t>(_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4));
  }
#endif
  for (; at < text.size(); ++at) count += (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
  return count;
}

std::string_view prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  return text.substr(0, whole_characters(text, max_bytes));
}

std::string shortened(std::string_view text, std::size_t max_bytes) {
  const std::string_view start = prefix(text, max_bytes);
  return start.size() == text.size() ? std::string(text) : std::string(start) + "…";
}

std::uint32_t next(std::string_view text, std::size_t& at) {
  const std::size_t length = sequence_length(text, at);
  const auto byte = [&](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(text[at + i])};
  };
  std::uint32_t code_point = 0xFFFD;
  switch (length) {
    case 1: code_point = byte(0); break;
    case 2: code_point = (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F); break;
    case 3: code_point = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F); break;
    case 4:
      code_point = (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
                   (byte(3) & 0x3F);
      break;
    default: break;
  }
  at += length == 0 ? 1 : length;
  return code_point;
}

}  // namespace utf8

}  // namespace enfold
