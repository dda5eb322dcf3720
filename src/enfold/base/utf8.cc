// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::utf8 {
namespace {

// Length of the well-formed sequence at `at`, 0 when there is none (Unicode 16, table 3-7).
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
    const std::size_t length = sequence_length(bytes, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

char* encode(std::uint32_t code_point, char* to) {
  const auto put = [&](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
  const auto put_low_bits = [&](int shift) { put(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put_low_bits(6);
  } else {
    put(0xF0 | code_point >> 18);
    put_low_bits(12);
    put_low_bits(6);
  }
  if (code_point >= 0x80) put_low_bits(0);
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
  // As signed bytes, continuation bytes are those below -64.
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
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
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

}  // namespace enfold::utf8
