// SPDX-License-Identifier: Apache-2.0
#include "enfold/retrieve/records/needle.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <cstring>
#include <re2/re2.h>

namespace enfold::retrieve {
namespace {

// The lower case of a letter whose two cases have the same number of bytes in UTF-8; other
// characters unchanged.
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

// Letters from frequent to rare in English. In JSON other characters are rarer than letters.
constexpr std::string_view kFrequent = " etaoinsrhldcumfpgwybvkxjqz";

/// Larger for rarer characters; 0 beyond ASCII.
std::size_t rarity(char c) {
  return static_cast<unsigned char>(c) >= 0x80 ? 0 : std::min(kFrequent.find(c), kFrequent.size());
}

/// The position of the two neighbouring ASCII characters that are the rarest together; npos: there
/// are no such two.
std::size_t rarest_pair(std::string_view text) {
  std::size_t best = std::string_view::npos;
  std::size_t most = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const bool is_ascii = ((text[at] | text[at + 1]) & 0x80) == 0;
    const std::size_t together = 1 + rarity(text[at]) + rarity(text[at + 1]);
    if (!is_ascii || together <= most) continue;
    most = together;
    best = at;
  }
  return best;
}

using Block = unsigned char __attribute__((vector_size(16)));

Block load(const char* from) {
  Block block;
  std::memcpy(&block, from, sizeof block);
  return block;
}

bool any_bit(Block block) {
  std::uint64_t halves[2];
  std::memcpy(halves, &block, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

/// Calls `use` with each position where `second` follows `first`, until `use` returns true; false
/// if it never does. Ignores the bit in which the two cases of a letter differ, so that a few other
/// characters match too.
template <class Use>
bool any_pair(std::string_view text, char first, char second, Use use) {
  constexpr unsigned char case_bit = 0x20;
  const auto wanted_first = static_cast<unsigned char>(first | case_bit);
  const auto wanted_second = static_cast<unsigned char>(second | case_bit);
  const auto is_here = [&](std::size_t at) {
    return (text[at] | case_bit) == wanted_first && (text[at + 1] | case_bit) == wanted_second;
  };
  std::size_t at = 0;
  for (; at + sizeof(Block) < text.size(); at += sizeof(Block)) {
    const Block match = ((load(text.data() + at) | case_bit) == wanted_first) &
                        ((load(text.data() + at + 1) | case_bit) == wanted_second);
    if (!any_bit(match)) continue;
    for (std::size_t i = 0; i < sizeof(Block); ++i) {
      if (is_here(at + i) && use(at + i)) return true;
    }
  }
  for (; at + 1 < text.size(); ++at) {
    if (is_here(at) && use(at)) return true;
  }
  return false;
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
      pattern_(is_pattern ? std::make_unique<RE2>(text, RE2::Quiet) : nullptr) {
  const bool needs_escapes = std::any_of(text_.begin(), text_.end(), [](char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
  });
  if (!needs_escapes) rare_pair_ = rarest_pair(text_);
}

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
  if (gave_up()) return is_in(text) ? 1 : 0;
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

bool Needle::matches_scalar(std::string_view json_text) const {
  return pattern_ ? is_in(json_text) : fold_case(json_text) == text_;
}

bool Needle::may_be_escaped_in(std::string_view raw) const {
  return raw.find("\\u") != std::string_view::npos ||
         (text_.find('/') != std::string::npos && raw.find("\\/") != std::string_view::npos);
}

bool Needle::may_be_in_json(std::string_view raw) const {
  constexpr std::size_t most_work = 4;  // bytes compared for each byte of the text
  if (rare_pair_ == std::string_view::npos) return true;
  std::size_t compared = 0;
  const bool found = any_pair(raw, text_[rare_pair_], text_[rare_pair_ + 1], [&](std::size_t at) {
    if (at < rare_pair_ || raw.size() - (at - rare_pair_) < text_.size()) return false;
    compared += text_.size();
    // Too much work: the text may be there.
    return compared > most_work * raw.size() ||
           fold_case(raw.substr(at - rare_pair_, text_.size())) == text_;
  });
  return found || may_be_escaped_in(raw);
}

}  // namespace enfold::retrieve
