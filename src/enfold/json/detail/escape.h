// SPDX-License-Identifier: Apache-2.0
// JSON string escaping in both directions, chosen for the processor at run time.
#pragma once

#include "enfold/json/buffer.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::json::detail {

/// Decodes the validated inside of a JSON string. Lone surrogates come out as WTF-8.
[[nodiscard]] std::string unescape(std::string_view source);

/// The same into room for `source.size() + 64` bytes; the bytes written.
[[nodiscard]] std::size_t unescape(std::string_view source, char* to);

/// Appends valid UTF-8 as the inside of a JSON string.
void append_escaped(std::string& out, std::string_view utf8);
void append_escaped(Buffer& out, std::string_view utf8);

inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(Buffer& out, std::string_view text) { out.put(text); }

/// The kernels: `to` must hold the stated room; they return the end of what they wrote.
using EscapeKernel = char* (*)(const char* from, std::size_t size, char* to);    // 6 * size + 64
using UnescapeKernel = char* (*)(const char* from, std::size_t size, char* to);  // size + 64
char* escape_baseline(const char* from, std::size_t size, char* to);
char* unescape_baseline(const char* from, std::size_t size, char* to);
#if defined(__x86_64__)
char* escape_avx512(const char* from, std::size_t size, char* to);
char* unescape_avx512(const char* from, std::size_t size, char* to);
#endif
[[nodiscard]] bool has_avx512();

/// One escaped byte, and one decoded escape: what the kernels fall back to.
char* put_escaped(unsigned char byte, char* to);
std::size_t decode_escape(const char* from, std::size_t size, char*& to);

}  // namespace enfold::json::detail
