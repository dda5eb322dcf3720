// SPDX-License-Identifier: Apache-2.0
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "enfold/json/detail/scan_impl.h"

namespace enfold::json::detail {
namespace {

// The Kernel of scan_impl.h for every processor.
struct BaselineKernel {
  explicit BaselineKernel(const char* /*base*/) {}

  // The first byte at or after `p` that ends plain text: a quote, a backslash or a control
  // character. `end` or more: there is none.
  static const char* plain_end(const char* p, const char* end) {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i control = _mm_set1_epi8(0x1F);
    for (; p < end; p += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      const __m128i stops =
          _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                       _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
      const int mask = _mm_movemask_epi8(stops);
      if (mask != 0) return p + __builtin_ctz(static_cast<unsigned>(mask));
    }
    return p;
#else
    while (p < end && *p != '"' && *p != '\\' && static_cast<unsigned char>(*p) > 0x1F) ++p;
    return p;
#endif
  }

  // The closing quote; nullptr: invalid or not closed. `escaped` is set if there is an escape.
  static const char* string_end(const char* p, const char* end, Scan& scan, bool& escaped) {
    for (;;) {
      p = plain_end(p, end);
      if (p >= end) return nullptr;
      if (*p == '"') return p;
      if (*p != '\\') return nullptr;
      escaped = true;
      p = escape_end(p, scan);
      if (p == nullptr) return nullptr;
    }
  }

  static const char* number_end(const char* p) { return detail::number_end(p); }
  static bool same(const char* a, const char* b, std::uint32_t length) {
    return std::memcmp(a, b, length) == 0;
  }
};

}  // namespace

void scan_baseline(const char* base, std::size_t size, const Limits& limits, Scan& scan) {
  scan_document<BaselineKernel>(base, size, limits, scan);
}

ScanFunction best_scan() {
#if defined(__x86_64__)
  static const ScanFunction best =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? scan_avx2 : scan_baseline;
  return best;
#else
  return scan_baseline;
#endif
}

}  // namespace enfold::json::detail
