// SPDX-License-Identifier: Apache-2.0
// Whether bytes are UTF-8, checked 32 at a time if the processor can do that. If they are not,
// utf8::first_invalid() finds the place of the error.
#pragma once

#include <string_view>

namespace enfold::json::detail {

[[nodiscard]] bool is_utf8(std::string_view bytes);

/// The variants; all accept the same bytes.
[[nodiscard]] bool is_utf8_baseline(std::string_view bytes);
#if defined(__x86_64__)
[[nodiscard]] bool is_utf8_avx2(std::string_view bytes);  ///< needs has_avx2()
[[nodiscard]] bool has_avx2();
#endif

}  // namespace enfold::json::detail
