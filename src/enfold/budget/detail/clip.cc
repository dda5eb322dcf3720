// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/detail/clip.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kNearLineEnd = 240;  // bytes that a whole line is worth

bool is_high_surrogate(std::string_view escape) {
  return escape.size() >= 6 && escape[1] == 'u' && (escape[2] | 0x20) == 'd' &&
         std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
}
bool is_low_surrogate(std::string_view escape) {
  return escape.size() >= 6 && escape[0] == '\\' && escape[1] == 'u' && (escape[2] | 0x20) == 'd' &&
         std::string_view("cdefCDEF").find(escape[3]) != std::string_view::npos;
}

// Bytes of source that stand for the next character; its decoded size in `decoded`.
std::size_t step(std::string_view rest, std::size_t& decoded) {
  const auto byte = static_cast<unsigned char>(rest[0]);
  if (byte != '\\') {
    decoded = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return decoded;
  }
  if (rest.size() < 6 || rest[1] != 'u') {
    decoded = 1;
    return 2;
  }
  if (is_high_surrogate(rest) && is_low_surrogate(rest.substr(6))) {
    decoded = 4;
    return 12;
  }
  const auto zero = [&](std::size_t at) { return rest[at] == '0'; };
  decoded = zero(2) && zero(3) && rest[4] < '8' ? 1 : zero(2) && rest[3] < '8' ? 2 : 3;
  return 6;
}

// After the last line end where one is near, else the piece as it is.
std::size_t at_line_end(std::string_view piece) {
  const std::size_t near = std::min(piece.size() / 4, kNearLineEnd);
  for (std::size_t at = piece.size(); at > piece.size() - near && at >= 2; --at) {
    if (piece[at - 1] != 'n' || piece[at - 2] != '\\') continue;
    std::size_t slashes = 0;
    while (slashes < at - 1 && piece[at - 2 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 1) return at;
  }
  return piece.size();
}

}  // namespace

std::size_t safe_cut(std::string_view source, std::size_t bytes) {
  if (source.size() <= bytes) return source.size();
  std::size_t at = 0;
  std::size_t decoded = 0;
  while (at < bytes) {
    const std::size_t length = step(source.substr(at), decoded);
    if (at + length > bytes) break;
    at += length;
  }
  return at;
}

std::size_t decoded_size(std::string_view source) {
  if (source.find('\\') == std::string_view::npos) return source.size();
  std::size_t total = 0;
  std::size_t decoded = 0;
  for (std::size_t at = 0; at < source.size(); total += decoded) {
    at += step(source.substr(at), decoded);
  }
  return total;
}

std::optional<json::Value> clip(json::View string, std::size_t bytes, std::size_t whole_decoded) {
  const std::string_view source = string.string_source();
  if (source.size() < bytes + kLeastClip) return std::nullopt;
  std::string_view kept = source.substr(0, safe_cut(source, bytes));
  kept = kept.substr(0, at_line_end(kept));
  const std::size_t missing = whole_decoded - decoded_size(kept);
  if (missing < kLeastClip) return std::nullopt;
  return json::parse_own(fmt::format("\"{}…[+{} bytes]\"", kept, missing));
}

std::optional<json::Value> clip(json::View string, std::size_t bytes) {
  if (string.string_source().size() < bytes + kLeastClip) return std::nullopt;
  return clip(string, bytes, decoded_size(string.string_source()));
}

json::Value label(std::string_view source, std::size_t bytes) {
  const bool whole = source.size() <= bytes + 3;
  return json::parse_own(
      fmt::format("\"{}{}\"", source.substr(0, whole ? source.size() : safe_cut(source, bytes)),
                  whole ? "" : "…"));
}

}  // namespace enfold::budget::detail
