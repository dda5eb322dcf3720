// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/text.h"
#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/plausible.h"
#include "enfold/redact/replace/walk.h"

#include <algorithm>

namespace enfold::redact::detail {
namespace {

// Masks letters and digits but keeps length and ASCII punctuation, so that most patterns of schemas
// still match.
std::string mask(std::string_view secret) {
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

std::string replacement(ReplacementStyle style, std::string_view label, std::string_view secret) {
  switch (style) {
    case ReplacementStyle::stars: return std::string(utf8::length(secret), '*');
    case ReplacementStyle::mask: return mask(secret);
    case ReplacementStyle::empty: return {};
    default: return marker(label);
  }
}

std::string replacement_number(ReplacementStyle style, std::size_t digits) {
  if (style == ReplacementStyle::stars || style == ReplacementStyle::mask)
    return "1" + std::string(digits - 1, '0');
  return "0";
}

std::string to_pattern(std::string_view pointer) {
  std::string out;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    const std::string_view token = pointer.substr(at + 1, end - at - 1);
    const bool index = !token.empty() && run_end(token, 0, kDigit) == token.size();
    out += '/';
    out += index ? std::string_view("*") : token;
    at = end;
  }
  return out;
}

namespace {

// Appends the bytes with the edits applied.
template <class Out>
void append_edited(std::string_view bytes, const std::vector<Edit>& edits, Out& out) {
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    out.append(bytes.substr(done, edit.begin - done));
    out.append(std::string_view(edit.text));
    done = edit.end;
  }
  out.append(bytes.substr(done));
}

// An upper bound of the size after the edits.
std::size_t max_size_after(std::string_view bytes, const std::vector<Edit>& edits) {
  std::size_t size = bytes.size();
  for (const Edit& edit : edits) size += edit.text.size();
  return size;
}

}  // namespace

std::string apply_edits(std::string_view bytes, const std::vector<Edit>& edits) {
  std::string out;
  out.reserve(max_size_after(bytes, edits));
  append_edited(bytes, edits, out);
  return out;
}

json::Buffer edited_buffer(std::string_view bytes, const std::vector<Edit>& edits) {
  json::Buffer out;
  (void)out.prepare(max_size_after(bytes, edits));
  append_edited(bytes, edits, out);
  return out;
}

// A scheme such as `Bearer` is skipped, so that a value with and without its scheme counts once.
void Redactions::count_value(std::string_view value) {
  std::size_t at = 0;
  (void)read_scheme(value, at);
  values.insert(std::hash<std::string_view>()(value.substr(at)));
}

}  // namespace enfold::redact::detail
