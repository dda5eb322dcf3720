// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/records/needle.h"

#include "enfold/base/text.h"

#include <re2/re2.h>

namespace enfold::retrieve {
namespace {

// Lower case of letters whose two cases take the same number of bytes.
std::uint32_t folded(std::uint32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32;
  if ((c >= 0x100 && c <= 0x137 && c != 0x130 && c != 0x131) || (c >= 0x14A && c <= 0x177)) {
    return c | 1;
  }
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) return c + (c & 1);
  if (c >= 0x391 && c <= 0x3A9 && c != 0x3A2) return c + 32;
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  return c;
}

}  // namespace

std::string fold_case(std::string_view utf8) {
  std::string out(utf8);
  for (std::size_t at = 0; at < out.size(); ++at) {
    const auto lead = static_cast<unsigned char>(out[at]);
    if (lead < 0x80) {
      out[at] = static_cast<char>(folded(lead));
    } else if ((lead & 0xE0U) == 0xC0U && at + 1 < out.size()) {
      const auto tail = static_cast<unsigned char>(out[at + 1]);
      const std::uint32_t lower = folded((lead & 0x1FU) << 6 | (tail & 0x3FU));
      out[at] = static_cast<char>(0xC0U | lower >> 6);
      out[++at] = static_cast<char>(0x80U | (lower & 0x3FU));
    }
  }
  return out;
}

Needle::Needle(std::string_view text, bool is_pattern)
    : text_(is_pattern ? std::string() : fold_case(text)),
      substring_(text_),
      pattern_(is_pattern ? std::make_unique<RE2>(text, RE2::Quiet) : nullptr) {}

Needle::~Needle() = default;

std::optional<Occurrence> Needle::first_in(std::string_view text) const {
  if (pattern_) {
    re2::StringPiece found;
    const bool any =
        pattern_->ok() && pattern_->Match(text, 0, text.size(), RE2::UNANCHORED, &found, 1);
    if (!any) return std::nullopt;
    return Occurrence{static_cast<std::size_t>(found.data() - text.data()), found.size()};
  }
  if (text.size() < text_.size()) return std::nullopt;
  const std::size_t at = substring_.find(fold_case(text));
  if (at == std::string_view::npos) return std::nullopt;
  return Occurrence{at, text_.size()};
}

std::size_t Needle::count_in(std::string_view text) const {
  std::size_t count = 0;
  const std::string folded = pattern_ ? std::string() : fold_case(text);
  for (std::size_t at = 0; at <= text.size();) {
    if (pattern_) {
      re2::StringPiece found;
      read_ += text.size() - at;
      const bool any = !gave_up() && pattern_->ok() &&
                       pattern_->Match(text, at, text.size(), RE2::UNANCHORED, &found, 1);
      if (!any) break;
      at = static_cast<std::size_t>(found.data() - text.data()) + found.size();
      if (found.empty() && at < text.size()) {
        static_cast<void>(utf8::next(text, at));
      } else if (found.empty()) {
        ++at;
      }
    } else {
      const std::size_t next = substring_.find(folded, at);
      if (next == std::string_view::npos) break;
      at = next + std::max<std::size_t>(text_.size(), 1);
    }
    ++count;
  }
  return count;
}

bool Needle::is_number(std::string_view number) const {
  return pattern_ ? is_in(number) : fold_case(number) == text_;
}

}  // namespace enfold::retrieve
