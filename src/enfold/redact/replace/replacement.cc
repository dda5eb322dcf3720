// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/replace/walk.h"

namespace enfold::redact::detail {
namespace {

// Masks letters and digits but keeps length and punctuation, so that most patterns still match.
std::string shape(std::string_view secret) {
  std::string masked;
  for (std::size_t at = 0; at < secret.size();) {
    const std::uint32_t c = utf8::next(secret, at);
    const bool ascii = c > 0x20 && c < 0x7F && c != '"' && c != '\\';
    const char byte = ascii ? static_cast<char>(c) : 'x';
    masked.push_back(is(byte, kUpper)   ? 'X'
                     : is(byte, kLower) ? 'x'
                     : is(byte, kDigit) ? '0'
                                        : byte);
  }
  return masked;
}

}  // namespace

std::string replacement(Way way, std::string_view label, std::string_view secret) {
  switch (way) {
    case Way::stars: return std::string(utf8::length(secret), '*');
    case Way::shape: return shape(secret);
    case Way::empty: return {};
    default: return marker(label);
  }
}

std::string replacement_number(Way way, std::size_t digits) {
  if (way == Way::stars || way == Way::shape) return "1" + std::string(digits - 1, '0');
  return "0";
}

}  // namespace enfold::redact::detail
