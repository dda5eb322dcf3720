// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/detail/escape.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace enfold::json::detail {
namespace {

std::uint32_t hex_digit(char c) {
  return static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}
// The value of the four hex digits at `p`.
std::uint32_t hex4(const char* p) {
  return hex_digit(p[0]) << 12 | hex_digit(p[1]) << 8 | hex_digit(p[2]) << 4 | hex_digit(p[3]);
}

bool needs_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

// Number of bytes before the first one for which `stops` is true; never reads past `size`.
template <class Predicate>
std::size_t plain_run(const char* from, std::size_t size, Predicate stops) {
  std::size_t at = 0;
#if defined(__SSE2__)
  for (; at + 16 <= size; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
    const int hits = stops.mask(bytes);
    if (hits != 0) return at + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(hits)));
  }
#endif
  while (at < size && !stops(static_cast<unsigned char>(from[at]))) ++at;
  return at;
}

// The predicates of plain_run. The operator tests one byte, `mask` sixteen: bit i is set if it is
// true for byte i.
struct Escapable {
  bool operator()(unsigned char c) const { return needs_escape(c); }
#if defined(__SSE2__)
  int mask(__m128i bytes) const {
    return _mm_movemask_epi8(
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))),
                     _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes)));
  }
#endif
};
struct Backslash {
  bool operator()(unsigned char c) const { return c == '\\'; }
#if defined(__SSE2__)
  int mask(__m128i bytes) const {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
  }
#endif
};

EscapeKernel best_escape() {
#if defined(__x86_64__)
  if (has_avx512()) return escape_avx512;
#endif
  return escape_baseline;
}
UnescapeKernel best_unescape() {
#if defined(__x86_64__)
  if (has_avx512()) return unescape_avx512;
#endif
  return unescape_baseline;
}

template <class Text>
void append_pieces(Text& out, std::string_view utf8) {
  static const EscapeKernel kernel = best_escape();
  // In pieces, so that the buffer for the worst case (six bytes per byte) stays small.
  constexpr std::size_t kPiece = 4096;
  char room[6 * kPiece + 64];
  while (!utf8.empty()) {
    const std::size_t piece = std::min(kPiece, utf8.size());
    const char* end = kernel(utf8.data(), piece, room);
    append(out, {room, static_cast<std::size_t>(end - room)});
    utf8.remove_prefix(piece);
  }
}

// \uXXXX, with the other half of a surrogate pair. Not inlined: the frequent escapes need none of
// the registers that it saves.
[[gnu::noinline]] std::size_t decode_unicode_escape(const char* from, std::size_t size, char*& to) {
  const std::uint32_t high = hex4(from + 2);
  const bool pair = high >= 0xD800 && high < 0xDC00 && size >= 12 && from[6] == '\\' &&
                    from[7] == 'u' && hex4(from + 8) >= 0xDC00 && hex4(from + 8) < 0xE000;
  if (!pair) {
    to = utf8::encode(high, to);
    return 6;
  }
  to = utf8::encode(0x10000 + ((high - 0xD800) << 10) + (hex4(from + 8) - 0xDC00), to);
  return 12;
}

}  // namespace

std::size_t decode_escape(const char* from, std::size_t size, char*& to) {
  switch (from[1]) {
    case 'b': *to++ = '\b'; return 2;
    case 'f': *to++ = '\f'; return 2;
    case 'n': *to++ = '\n'; return 2;
    case 'r': *to++ = '\r'; return 2;
    case 't': *to++ = '\t'; return 2;
    case 'u': return decode_unicode_escape(from, size, to);
    default: *to++ = from[1]; return 2;
  }
}

char* put_escaped(unsigned char byte, char* to) {
  constexpr char digits[] = "0123456789abcdef";
  char short_form = 0;
  switch (byte) {
    case '"': short_form = '"'; break;
    case '\\': short_form = '\\'; break;
    case '\b': short_form = 'b'; break;
    case '\f': short_form = 'f'; break;
    case '\n': short_form = 'n'; break;
    case '\r': short_form = 'r'; break;
    case '\t': short_form = 't'; break;
    default: break;
  }
  *to++ = '\\';
  if (short_form != 0) {
    *to++ = short_form;
    return to;
  }
  std::memcpy(to, "u00", 3);
  to[3] = digits[byte >> 4];
  to[4] = digits[byte & 15];
  return to + 5;
}

char* escape_baseline(const char* from, std::size_t size, char* to) {
  while (size != 0) {
    const std::size_t run = plain_run(from, size, Escapable{});
    std::memcpy(to, from, run);
    to += run;
    from += run;
    size -= run;
    if (size == 0) break;
    to = put_escaped(static_cast<unsigned char>(*from), to);
    ++from;
    --size;
  }
  return to;
}

char* unescape_baseline(const char* from, std::size_t size, char* to) {
  while (size != 0) {
    const std::size_t run = plain_run(from, size, Backslash{});
    std::memcpy(to, from, run);
    to += run;
    from += run;
    size -= run;
    if (size == 0) break;
    const std::size_t used = decode_escape(from, size, to);
    from += used;
    size -= used;
  }
  return to;
}

bool has_avx512() {
#if defined(__x86_64__)
  static const bool supported =
      __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("bmi2");
  return supported;
#else
  return false;
#endif
}

std::size_t unescape(std::string_view source, char* to) {
  static const UnescapeKernel kernel = best_unescape();
  return static_cast<std::size_t>(kernel(source.data(), source.size(), to) - to);
}

std::string unescape(std::string_view source) {
  if (source.empty() || std::memchr(source.data(), '\\', source.size()) == nullptr) {
    return std::string(source);
  }
  std::string out(source.size() + 64, '\0');
  out.resize(unescape(source, out.data()));
  return out;
}

void append_escaped(std::string& out, std::string_view utf8) { append_pieces(out, utf8); }
void append_escaped(Buffer& out, std::string_view utf8) { append_pieces(out, utf8); }

}  // namespace enfold::json::detail
