// SPDX-License-Identifier: Apache-2.0
// JSON string escaping and unescaping, with kernels chosen for the processor at run time.
#pragma once

#include "enfold/json/document.h"

namespace enfold::json::detail {

/// Decodes the validated inside of a JSON string. Lone surrogates come out as WTF-8.
[[nodiscard]] std::string unescape(std::string_view source);

/// Writes to `to`, which must have room for `source.size() + 64` bytes; returns how many were
/// written.
[[nodiscard]] std::size_t unescape(std::string_view source, char* to);

/// Appends valid UTF-8 as the inside of a JSON string.
void append_escaped(std::string& out, std::string_view utf8);
void append_escaped(Buffer& out, std::string_view utf8);

inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(Buffer& out, std::string_view text) { out.put(text); }

/// The kernels write to `to`, which must have the stated capacity, and return the end of the
/// output.
using EscapeKernel = char* (*)(const char* from, std::size_t size, char* to);    // 6 * size + 64
using UnescapeKernel = char* (*)(const char* from, std::size_t size, char* to);  // size + 64
char* escape_baseline(const char* from, std::size_t size, char* to);
char* unescape_baseline(const char* from, std::size_t size, char* to);
#if defined(__x86_64__)
char* escape_avx512(const char* from, std::size_t size, char* to);
char* unescape_avx512(const char* from, std::size_t size, char* to);
#endif
[[nodiscard]] bool has_avx512();

/// Writes the escape of a byte that needs one and returns the end of the output.
char* put_escaped(unsigned char byte, char* to);
/// Decodes the escape at `from`, where `size` bytes are left, advances `to` past the result, and
/// returns the length of the escape.
std::size_t decode_escape(const char* from, std::size_t size, char*& to);

}  // namespace enfold::json::detail
