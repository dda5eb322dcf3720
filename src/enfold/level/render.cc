// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/render.h"

#include "enfold/base/grapheme.h"
#include "enfold/base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace enfold::level {
namespace {

// Whether a lone surrogate (three bytes, from a JSON escape) is at `at`. Its bytes must stay
// together: the writer turns them back into the escape.
bool is_surrogate_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  return text.size() - at >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF &&
         (byte(2) & 0xC0U) == 0x80U;
}

}  // namespace

std::string rounded(double value, int decimals) {
  constexpr double first_without_fraction = 9007199254740992;  // 2^53
  if (std::abs(value) >= first_without_fraction) return fmt::format("{}", value);
  std::string text = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 17));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string shortest(float value) { return fmt::format("{}", value); }

std::string preview_of(std::string_view text, std::size_t length) {
  std::size_t end = 0;
  for (std::size_t seen = 0; seen < length && end < text.size(); ++seen) {
    if (is_surrogate_at(text, end)) {
      end += 3;
    } else {
      static_cast<void>(utf8::next(text, end));
    }
  }
  if (end == text.size()) return std::string(text);
  std::string_view shown = text.substr(0, utf8::whole_characters(text, end));
  const std::size_t marker = text.rfind("[REDACTED:", shown.size());
  if (marker < shown.size() && text.find(']', marker) >= shown.size()) {
    shown = shown.substr(0, marker);
  }
  return std::string(shown) + "...";
}

std::string preview_of(std::string_view text, std::size_t length, const TextFilter& filter) {
  // A text of at most `length` bytes is shown whole, and filtered later with the whole answer.
  if (!filter || text.size() <= length) return preview_of(text, length);
  return preview_of(filter(text), length);
}

}  // namespace enfold::level
