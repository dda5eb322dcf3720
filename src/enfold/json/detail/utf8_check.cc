// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/detail/utf8_check.h"

#include "enfold/base/text.h"

namespace enfold::json::detail {

bool is_utf8_baseline(std::string_view bytes) { return !utf8::first_invalid(bytes); }

#if defined(__x86_64__)
bool has_avx2() {
  static const bool supported = __builtin_cpu_supports("avx2");
  return supported;
}
#endif

bool is_utf8(std::string_view bytes) {
#if defined(__x86_64__)
  constexpr std::size_t kWorthVectors = 32;  // bytes
  if (bytes.size() >= kWorthVectors && has_avx2()) return is_utf8_avx2(bytes);
#endif
  return is_utf8_baseline(bytes);
}

}  // namespace enfold::json::detail
