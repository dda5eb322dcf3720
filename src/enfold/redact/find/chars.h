// SPDX-License-Identifier: Apache-2.0
// Character classes shared by the matchers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace enfold::redact::detail {

/// Classes of bytes. A mask of them means any byte of these classes.
enum Class : std::uint16_t {
  kUpper = 1,
  kLower = 2,
  kDigit = 4,
  kBlank = 8,        ///< space and tab
  kNewline = 16,     ///< line feed and carriage return
  kJoiner = 32,      ///< '_' and '-'
  kBase64Sign = 64,  ///< '+', '/', '='
  kDot = 128,
  kHexLetter = 256,  ///< 'a' to 'f', also kLower
  kDollarSign = 512,
  kTilde = 1024,
};
inline constexpr int kLetter = kUpper | kLower;
inline constexpr int kAlnum = kLetter | kDigit;
inline constexpr int kToken = kAlnum | kJoiner;
inline constexpr int kName = kAlnum | kJoiner | kDot;
inline constexpr int kSpace = kBlank | kNewline;

/// What every redaction marker begins with.
inline constexpr std::string_view kMarkerOpening = "[REDACTED:";

// The most bytes of white space that a matcher skips, so that a scan takes linear time.
inline constexpr std::size_t kFewBlanks = 8;    ///< kBlank, beside a separator
inline constexpr std::size_t kMostBlanks = 16;  ///< kBlank, between words
inline constexpr std::size_t kMostSpace = 64;   ///< kSpace

inline constexpr std::array<std::uint16_t, 256> kClasses = [] {
  std::array<std::uint16_t, 256> classes{};
  for (std::size_t c = 'A'; c <= 'Z'; ++c) classes[c] = kUpper;
  for (std::size_t c = 'a'; c <= 'z'; ++c) classes[c] = kLower;
  for (std::size_t c = 'a'; c <= 'f'; ++c) classes[c] = kLower | kHexLetter;
  for (std::size_t c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  classes[' '] = classes['\t'] = kBlank;
  classes['\n'] = classes['\r'] = kNewline;
  classes['_'] = classes['-'] = kJoiner;
  classes['+'] = classes['/'] = classes['='] = kBase64Sign;
  classes['.'] = kDot;
  classes['$'] = kDollarSign;
  classes['~'] = kTilde;
  return classes;
}();

[[nodiscard]] constexpr bool is(char c, int classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}
[[nodiscard]] constexpr bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
[[nodiscard]] constexpr char lower(char c) { return is(c, kUpper) ? static_cast<char>(c | 32) : c; }

/// The byte at `at`, NUL beyond the end.
[[nodiscard]] constexpr char byte(std::string_view text, std::size_t at) {
  return at < text.size() ? text[at] : '\0';
}

/// End of the run of bytes of these classes that starts at `at`; `at` if there is none.
[[nodiscard]] constexpr std::size_t run_end(std::string_view text, std::size_t at, int classes) {
  while (at < text.size() && is(text[at], classes)) ++at;
  return at;
}

/// As run_end, looking at no more than `max_bytes`. `at` must not be beyond the end of the text.
[[nodiscard]] constexpr std::size_t run_end(std::string_view text, std::size_t at, int classes,
                                            std::size_t max_bytes) {
  return run_end(text.substr(0, max_bytes < text.size() - at ? at + max_bytes : text.size()), at,
                 classes);
}

/// The mask of the classes that occur in the text.
[[nodiscard]] constexpr int classes_of(std::string_view text) {
  int seen = 0;
  for (const char c : text) seen |= kClasses[static_cast<unsigned char>(c)];
  return seen;
}

/// Ignoring the case of ASCII letters. `lower_word` must be lower case.
[[nodiscard]] constexpr bool equals_ignoring_case(std::string_view text,
                                                  std::string_view lower_word) {
  if (text.size() != lower_word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != lower_word[i]) return false;
  }
  return true;
}
[[nodiscard]] constexpr bool starts_with_ignoring_case(std::string_view text,
                                                       std::string_view lower_word) {
  return equals_ignoring_case(text.substr(0, lower_word.size()), lower_word);
}

/// Whether a token may start at `at`: the text begins there, or the byte before is not of these
/// classes or ends an escape (`\n`, `%3D`).
[[nodiscard]] constexpr bool starts_token(std::string_view text, std::size_t at, int classes) {
  if (at == 0 || !is(text[at - 1], classes)) return true;
  if (at >= 2 && text[at - 2] == '\\' && is(text[at - 1], kLower)) return true;
  return at >= 3 && text[at - 3] == '%' && is(text[at - 2], kAlnum) && is(text[at - 1], kAlnum);
}

}  // namespace enfold::redact::detail
