// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hidden_text.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace enfold {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// The property Default_Ignorable_Code_Point of DerivedCoreProperties.txt, Unicode 14.0, and the
// annotation marks U+FFF9 to U+FFFB.
constexpr std::array<Range, 17> kHidden{{{0xAD, 0xAD},
                                         {0x34F, 0x34F},
                                         {0x61C, 0x61C},
                                         {0x115F, 0x1160},
                                         {0x17B4, 0x17B5},
                                         {0x180B, 0x180F},
                                         {0x200B, 0x200F},
                                         {0x202A, 0x202E},
                                         {0x2060, 0x206F},
                                         {0x3164, 0x3164},
                                         {0xFE00, 0xFE0F},
                                         {0xFEFF, 0xFEFF},
                                         {0xFFA0, 0xFFA0},
                                         {0xFFF0, 0xFFFB},
                                         {0x1BCA0, 0x1BCA3},
                                         {0x1D173, 0x1D17A},
                                         {0xE0000, 0xE0FFF}}};

constexpr std::uint32_t kNonJoiner = 0x200C;
constexpr std::uint32_t kJoiner = 0x200D;

bool is_selector(std::uint32_t c) { return c >= 0xFE00 && c <= 0xFE0F; }
bool is_joiner(std::uint32_t c) { return c == kNonJoiner || c == kJoiner; }
// Whether `c` is neither ASCII nor hidden.
bool is_shown_non_ascii(std::uint32_t c) { return c >= 0x80 && !is_hidden(c); }

// Whether the hidden character `c` is part of how its neighbours are written, as in Persian or in
// emoji. `before` and `after`: the characters next to it; 0: there is none.
bool is_needed(std::uint32_t c, std::uint32_t before, std::uint32_t after) {
  if (is_selector(c)) return is_shown_non_ascii(before);
  return is_joiner(c) && (is_shown_non_ascii(before) || is_selector(before)) &&
         is_shown_non_ascii(after);
}

bool is_control(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029;
}

}  // namespace

bool is_hidden(std::uint32_t code_point) {
  const auto* const range = std::ranges::lower_bound(kHidden, code_point, {}, &Range::last);
  return range != kHidden.end() && range->first <= code_point;
}

std::string without_hidden(std::string_view text) {
  const auto is_dropped_control = [&](std::uint32_t c, std::size_t after) {
    if (c == '\n' || c == '\t' || (c == '\r' && text.substr(after, 1) == "\n")) return false;
    return c < 0x20 || (c >= 0x7F && c <= 0x9F);
  };
  std::string out;
  out.reserve(text.size());
  std::uint32_t before = 0;  // the last character that was kept
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = utf8::next(text, at);
    if (is_dropped_control(c, at)) continue;
    if (is_hidden(c)) {
      std::size_t ahead = at;
      const std::uint32_t after = ahead < text.size() ? utf8::next(text, ahead) : 0;
      if (!is_needed(c, before, after)) continue;
    }
    out.append(text, begin, at - begin);
    before = c;
  }
  return out;
}

std::string visible_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = utf8::next(text, at);
    const bool is_malformed = c == 0xFFFD && at - begin == 1;
    if (is_malformed) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[begin]));
    } else if (is_control(c) || is_hidden(c)) {
      fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", c);
    } else {
      out.append(text, begin, at - begin);
    }
  }
  return out;
}

}  // namespace enfold
