// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/names.h"

#include "enfold/base/hash.h"

namespace enfold::gateway {
namespace {

constexpr std::size_t kHashDigits = 8;               // at the end of a name that was cut
constexpr std::string_view kHashPrefix = "sha256:";  // at the begin of what sha256_name returns

constexpr std::string_view kEllipsis = "…";

// Whether a byte of UTF-8 begins a character.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::string shown_name(std::string_view upstream, std::string_view name) {
  std::string shown = shown_id(upstream, name);
  if (shown.size() <= kMaxNameLength) return shown;
  const std::string hash = sha256_name(shown).substr(kHashPrefix.size(), kHashDigits);
  // A name that was cut always has kMaxNameLength bytes: Routes recognises it by this length.
  std::size_t end = kMaxNameLength - kHashDigits - 1;
  while (end > 0 && !begins_character(shown[end])) --end;
  shown.resize(end);
  shown.resize(kMaxNameLength - kHashDigits, '_');
  return shown + hash;
}

std::string shown_id(std::string_view upstream, std::string_view id) {
  std::string shown(upstream);
  shown.append(kNameSeparator).append(id);
  return shown;
}

// Tries longer matches of the last star only: once the pattern has matched up to a star, longer
// matches of earlier stars cannot help.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;  // the last star in the pattern so far
  std::size_t from = 0;                       // where in the name the star's match ends
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string shortened(std::string text, std::size_t max_characters) {
  std::size_t count = 0;
  std::size_t end = 0;  // end of the last character that leaves room for the ellipsis
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!begins_character(text[i])) continue;
    if (count + 1 == max_characters) end = i;
    if (++count > max_characters) break;
  }
  if (count <= max_characters) return text;
  const std::size_t word = text.find_last_of(" \n\t", end);
  if (word != std::string::npos && word > end / 2) end = word;
  text.resize(end);
  return text.append(kEllipsis);
}

}  // namespace enfold::gateway
