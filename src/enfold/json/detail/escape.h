// SPDX-License-Identifier: Apache-2.0
// JSON string escaping and unescaping, with kernels chosen for the processor at run time.
#pragma once

#include "enfold/json/document.h"

namespace enfold::json::detail {

/// Decodes the text between the quotes of a valid JSON string. A lone surrogate becomes three
/// bytes, as in WTF-8.
[[nodiscard]] std::string unescape(std::string_view source);

/// The same, written to `to`, which must have room for `source.size() + 64` bytes. Returns how many
/// bytes were written.
[[nodiscard]] std::size_t unescape(std::string_view source, char* to);

/// Appends valid UTF-8 escaped as in a JSON string, without the quotes.
void append_escaped(std::string& out, std::string_view utf8);
void append_escaped(Buffer& out, std::string_view utf8);

inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(Buffer& out, std::string_view text) { out.put(text); }

/// The kernels write to `to` and return the end of the output. `to` must have room for
/// 6 * size + 64 bytes to escape, for size + 64 bytes to unescape.
using EscapeKernel = char* (*)(const char* from, std::size_t size, char* to);
using UnescapeKernel = char* (*)(const char* from, std::size_t size, char* to);
char* escape_baseline(const char* from, std::size_t size, char* to);
char* unescape_baseline(const char* from, std::size_t size, char* to);
#if defined(__x86_64__)
char* escape_avx512(const char* from, std::size_t size, char* to);
char* unescape_avx512(const char* from, std::size_t size, char* to);
#endif
/// Whether this processor can run the kernels whose names end in avx512.
[[nodiscard]] bool has_avx512();

/// Writes the escape of a byte that needs one and returns the end of the output.
char* put_escaped(unsigned char byte, char* to);
/// Decodes the valid escape at `from`, where `size` bytes are left; writes the result to `to` and
/// advances `to` past it. Returns the length of the escape; a surrogate pair is one escape.
std::size_t decode_escape(const char* from, std::size_t size, char*& to);

}  // namespace enfold::json::detail
