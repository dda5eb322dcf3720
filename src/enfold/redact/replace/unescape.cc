// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/replace/unescape.h"

#include "enfold/base/hidden_text.h"
#include "enfold/base/text.h"
#include "enfold/redact/find/chars.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace enfold::redact::detail {
namespace {

// The code point of two surrogates; 0: they are none.
std::uint32_t join_surrogates(std::uint32_t high, std::uint32_t low) {
  const bool is_pair = high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 && low < 0xE000;
  return is_pair ? 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00) : 0;
}

bool is_hex(char c) { return is(c, kDigit) || (lower(c) >= 'a' && lower(c) <= 'f'); }

// Whether `u` and four hexadecimal digits are at `at`.
bool is_unicode_escape(std::string_view text, std::size_t at) {
  if (byte(text, at) != 'u') return false;
  const std::string_view digits = text.substr(at + 1, 4);
  return digits.size() == 4 && std::ranges::all_of(digits, is_hex);
}

char simple_escape(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    default: return c;
  }
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

constexpr char kEsc = '\x1B';

// The bytes with which a hidden character or a terminal code starts.
constexpr auto kStarts = [] {
  std::array<bool, 256> starts{};
  for (const unsigned c : {0x1B, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3}) {
    starts[c] = true;
  }
  return starts;
}();

// Where the next of these bytes is, from `at` on. Skips eight bytes at a time that are ASCII and
// not ESC.
std::size_t plain_end(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = kOnes << 7;
  for (; at + sizeof kOnes <= text.size(); at += sizeof kOnes) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    const std::uint64_t zero = bytes ^ (kOnes * kEsc);  // 0 at each ESC
    if (((bytes | ((zero - kOnes) & ~zero)) & kHighBits) != 0) break;
  }
  while (at < text.size() && !kStarts[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

// Recognises terminal codes (ECMA-48): ESC, `[`, parameters and a final byte. What a terminal does
// not show is part of them: an ESC alone, and a code that another ESC or a byte that cannot end it
// cuts off. After the removal of a code, an ESC before it may join a `[` after it.
class CodeReader {
 public:
  // Whether the next byte belongs to a code.
  bool takes(char c) {
    if (c == kEsc) {
      ++state_.escs;
      state_.in_code = false;
      return true;
    }
    if (state_.in_code) {
      const bool is_final = c >= '@' && c <= '~';
      if (is_final) state_.in_code = false;
      return is_final || (c >= '0' && c <= '?');
    }
    if (c != '[' || state_.escs == 0) return false;
    --state_.escs;
    state_.in_code = true;
    return true;
  }
  // After a byte that no code takes; `at`: its offset in the visible text.
  void on_visible(char c, std::size_t at) {
    const bool may_be_hidden = static_cast<unsigned char>(c) >= 0x80;  // see on_joined
    if (!may_be_hidden) {
      saved_.clear();
    } else if (state_.escs != 0 || state_.in_code) {
      saved_.emplace_back(at, state_);
    }
    state_ = {};
  }
  // After a hidden character at `at` was removed whose bytes were apart: continues as before it.
  void on_joined(std::size_t at) {
    while (!saved_.empty() && saved_.back().first > at) saved_.pop_back();
    state_ = {};
    if (saved_.empty() || saved_.back().first != at) return;
    state_ = saved_.back().second;
    saved_.pop_back();
  }

 private:
  struct State {
    std::size_t escs = 0;  // since the last visible byte; each may begin a code
    bool in_code = false;  // after ESC [
  };
  State state_;
  std::vector<std::pair<std::size_t, State>> saved_;  // before visible bytes, by offset
};

constexpr std::size_t kLongestMarker = 128;  // bytes

// Where the redaction marker begins with which the text ends; npos: it does not end with one.
std::size_t marker_begin(std::string_view text) {
  const std::size_t from = text.size() - std::min(text.size(), kLongestMarker);
  for (std::size_t at = text.size() - 1; at > from; --at) {
    const char c = text[at - 1];
    if (c == ']' || c == '"' || is(c, kNewline)) break;
    if (c == '[') {
      return text.substr(at - 1).starts_with(kMarkerOpening) ? at - 1 : std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

// Whether a token may end in front of `begin`.
bool joins_token(std::string_view text, std::size_t begin) {
  return begin > 0 && is(text[begin - 1], kToken | kDot);
}

// Whether a token, or another marker, may continue at `at`.
bool token_continues(std::string_view text, std::size_t at) {
  return is(byte(text, at), kToken | kDot) || text.substr(at).starts_with(kMarkerOpening);
}

}  // namespace

std::size_t inner_marker_length(std::string_view text, std::size_t at) {
  const std::string_view inside = text.substr(at, kLongestMarker);
  if (!inside.starts_with(kMarkerOpening) || !joins_token(text, at)) return 0;
  const std::size_t end = inside.find_first_of("]\"\n\r", 1);
  const bool is_closed = end != std::string_view::npos && inside[end] == ']';
  return is_closed && token_continues(text, at + end + 1) ? end + 1 : 0;
}

std::uint32_t hex4(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = lower(byte(text, i));
    const int digit = is(c, kDigit) ? c - '0' : c - 'a' + 10;
    value = value << 4 | static_cast<std::uint32_t>(digit & 15);
  }
  return value;
}

std::size_t hidden_length(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(byte(text, at)) < 0xC2) return 0;
  std::size_t next = at;
  return is_hidden(utf8::next(text, next)) ? next - at : 0;
}

std::size_t hidden_escape_length(std::string_view text, std::size_t at) {
  constexpr std::size_t kLength = 5;  // `u` and four digits
  if (!is_unicode_escape(text, at)) return 0;
  const std::uint32_t code = hex4(text, at + 1);
  if (is_hidden(code)) return kLength;
  const std::size_t low = text.find_first_not_of('\\', at + kLength);
  if (low == at + kLength || !is_unicode_escape(text, low)) return 0;
  return is_hidden(join_surrogates(code, hex4(text, low + 1))) ? low + kLength - at : 0;
}

bool may_hide(std::string_view text) { return plain_end(text, 0) < text.size(); }

std::string visible_text(std::string text) {
  if (may_hide(text)) return UnescapedText::visible(text).text();
  return text;
}

void UnescapedText::copy(std::string_view source, std::size_t begin, std::size_t end) {
  text_.append(source, begin, end - begin);
}

void UnescapedText::add_escape(std::size_t text_begin, std::size_t source_begin,
                               std::size_t source_end) {
  escapes_.push_back({text_begin, text_.size(), source_begin, source_end});
}

UnescapedText UnescapedText::json_string(std::string_view source) {
  UnescapedText result;
  result.text_.reserve(source.size());
  std::size_t done = 0;
  for (std::size_t at = source.find('\\'); at < source.size(); at = source.find('\\', done)) {
    result.copy(source, done, at);
    const std::size_t text_begin = result.text_.size();
    const char kind = byte(source, at + 1);
    done = at + 2;
    if (kind == 'u') {
      std::uint32_t code = hex4(source, at + 2);
      done = at + 6;
      const bool has_second = source.substr(done, 2) == "\\u";
      if (const auto joined = has_second ? join_surrogates(code, hex4(source, done + 2)) : 0) {
        code = joined;
        done += 6;
      }
      utf8::append(result.text_, code);
    } else {
      result.text_.push_back(simple_escape(kind));
    }
    done = std::min(done, source.size());
    result.add_escape(text_begin, at, done);
  }
  result.copy(source, done, source.size());
  return result;
}

UnescapedText UnescapedText::nested_escapes(std::string_view source) {
  UnescapedText result;
  result.text_.reserve(source.size());
  std::size_t done = 0;
  for (std::size_t at = source.find('\\'); at < source.size();) {
    std::size_t tail = at;
    while (byte(source, tail) == '\\') ++tail;
    std::size_t end = tail;
    std::string decoded = "/";
    if (byte(source, tail) == '/') {
      end = tail + 1;
    } else if (source.substr(tail, 3) == "u00" && byte(source, tail + 3) >= '0' &&
               byte(source, tail + 3) <= '7' && is_hex(byte(source, tail + 4))) {
      decoded.assign(1, static_cast<char>(hex4(source, tail + 1)));
      end = tail + 5;
    } else if (const std::size_t length = hidden_escape_length(source, tail)) {
      decoded.clear();
      end = tail + length;
    }
    if (end != tail) {
      result.copy(source, done, at);
      const std::size_t text_begin = result.text_.size();
      result.text_ += decoded;
      result.add_escape(text_begin, at, end);
      done = end;
    }
    at = source.find('\\', end);
  }
  result.copy(source, done, source.size());
  return result;
}

void UnescapedText::remove(std::size_t begin, std::size_t end) {
  const bool continues = !escapes_.empty() && escapes_.back().text_begin == text_.size();
  if (continues) {
    escapes_.back().source_end = end;
  } else {
    add_escape(text_.size(), begin, end);
  }
}

void UnescapedText::remove_end(std::size_t begin, std::size_t read) {
  const std::size_t source_begin = to_source(begin, /*is_end=*/true);
  while (!escapes_.empty() && escapes_.back().text_begin >= begin) escapes_.pop_back();
  text_.resize(begin);
  add_escape(begin, source_begin, read);
}

bool UnescapedText::remove_joined(std::size_t read) {
  constexpr std::size_t kLongest = 4;  // bytes of a character
  for (std::size_t length = 2; length <= std::min(kLongest, text_.size()); ++length) {
    const std::size_t begin = text_.size() - length;
    if (hidden_length(text_, begin) != length) continue;
    remove_end(begin, read);
    return true;
  }
  return false;
}

UnescapedText UnescapedText::visible(std::string_view source) {
  UnescapedText result;
  result.text_.reserve(source.size());
  CodeReader codes;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t hidden = hidden_length(source, at);
    if (hidden != 0 || codes.takes(source[at])) {
      result.remove(at, at + std::max<std::size_t>(hidden, 1));
      at += std::max<std::size_t>(hidden, 1);
      continue;
    }
    codes.on_visible(source[at], result.text_.size());
    // A byte that continues a character is alone only in malformed text, or after a removal.
    const std::size_t end = is_continuation(source[at]) ? at + 1 : plain_end(source, at + 1);
    result.copy(source, at, end);
    if (is_continuation(source[at]) && result.remove_joined(end)) {
      codes.on_joined(result.text_.size());
    }
    at = end;
  }
  return result;
}

UnescapedText UnescapedText::without_inner_markers(std::string_view source) {
  UnescapedText result;
  result.text_.reserve(source.size());
  std::size_t done = 0;
  for (std::size_t at = source.find(']'); at < source.size(); at = source.find(']', done)) {
    result.copy(source, done, at + 1);
    done = at + 1;
    const std::size_t begin = marker_begin(result.text_);
    const bool is_inner = begin != std::string::npos && joins_token(result.text_, begin) &&
                          token_continues(source, done);
    if (is_inner) result.remove_end(begin, done);
  }
  result.copy(source, done, source.size());
  return result;
}

std::size_t UnescapedText::to_source(std::size_t at, bool is_end) const {
  const auto after =
      std::partition_point(escapes_.begin(), escapes_.end(), [&](const Escape& escape) {
        return is_end ? escape.text_begin < at : escape.text_begin <= at;
      });
  if (after == escapes_.begin()) return at;
  const Escape& escape = *std::prev(after);
  if (at >= escape.text_end) return escape.source_end + (at - escape.text_end);
  return is_end ? escape.source_end : escape.source_begin;
}

std::pair<std::size_t, std::size_t> UnescapedText::in_source(std::size_t begin,
                                                             std::size_t end) const {
  return {to_source(begin, /*is_end=*/false), to_source(end, /*is_end=*/true)};
}

}  // namespace enfold::redact::detail
