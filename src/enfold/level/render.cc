// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/render.h"

#include "enfold/base/text.h"

namespace enfold::level {
namespace {

// A lone surrogate (three bytes, from a JSON escape) must not be split: the writer turns it back
// into the escape.
bool is_surrogate_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  return text.size() - at >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) <= 0xBF &&
         (byte(2) & 0xC0U) == 0x80U;
}

}  // namespace

std::string preview_of(std::string_view text, std::size_t length) {
  std::size_t end = 0;
  for (std::size_t seen = 0; seen < length && end < text.size(); ++seen) {
    if (is_surrogate_at(text, end)) {
      end += 3;
    } else {
      static_cast<void>(utf8::next(text, end));
    }
  }
  std::string out(text.substr(0, end));
  if (end < text.size()) out += "...";
  return out;
}

}  // namespace enfold::level
