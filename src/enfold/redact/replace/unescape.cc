// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/replace/unescape.h"

#include "enfold/base/hidden_text.h"
#include "enfold/base/text.h"
#include "enfold/redact/find/chars.h"

#include <algorithm>
#include <array>

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

}  // namespace

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
  constexpr std::size_t kLongestCode = 24;
  if (text.substr(at, 2) == "\x1B[") {
    const std::string_view code = text.substr(at + 2, kLongestCode);
    const std::size_t end = code.find_first_not_of("0123456789;:?");
    return end == std::string_view::npos ? 0 : end + 3;
  }
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

UnescapedText UnescapedText::visible(std::string_view source) {
  UnescapedText result;
  result.text_.reserve(source.size());
  std::size_t done = 0;
  // For each byte with which a hidden character or colour code starts, where it occurs next.
  constexpr std::string_view kStarts = "\x1B\xC2\xCD\xD8\xE1\xE2\xE3\xEF\xF3";
  std::array<std::size_t, kStarts.size()> places{};
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = source.find(kStarts[i]);
  for (auto next = std::min_element(places.begin(), places.end()); *next < source.size();
       next = std::min_element(places.begin(), places.end())) {
    const std::size_t at = *next;
    *next = source.find(source[at], at + 1);
    const std::size_t length = hidden_length(source, at);
    if (length == 0) continue;
    result.copy(source, done, at);
    result.add_escape(result.text_.size(), at, at + length);
    done = at + length;
  }
  result.copy(source, done, source.size());
  return result;
}

std::size_t UnescapedText::to_source(std::size_t at, bool is_end) const {
  const auto after = std::upper_bound(
      escapes_.begin(), escapes_.end(), at,
      [](std::size_t place, const Escape& escape) { return place < escape.text_begin; });
  if (after == escapes_.begin()) return at;
  const Escape& escape = *std::prev(after);
  if (at >= escape.text_end) return escape.source_end + (at - escape.text_end);
  return is_end && at > escape.text_begin ? escape.source_end : escape.source_begin;
}

std::pair<std::size_t, std::size_t> UnescapedText::in_source(std::size_t begin,
                                                             std::size_t end) const {
  return {to_source(begin, /*is_end=*/false), to_source(end, /*is_end=*/true)};
}

}  // namespace enfold::redact::detail
