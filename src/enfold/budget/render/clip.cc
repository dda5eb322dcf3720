// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/render/clip.h"

#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::budget::detail {
namespace {

constexpr std::size_t kWorthCounting = 512;  // bytes; the lines of shorter strings are not counted
constexpr std::size_t kNearLineEnd = 240;    // most bytes that are left out to end at a line end
constexpr std::string_view kEllipsis = "…";

// Whether the text, which begins with a backslash, begins with the first half of a surrogate pair:
// "\ud83d".
bool is_high_surrogate(std::string_view escape) {
  return escape.size() >= 6 && escape[1] == 'u' && (escape[2] | 0x20) == 'd' &&
         std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
}
// Whether the text begins with the second half of a surrogate pair: "\ude00".
bool is_low_surrogate(std::string_view escape) {
  return escape.size() >= 6 && escape[0] == '\\' && escape[1] == 'u' && (escape[2] | 0x20) == 'd' &&
         std::string_view("cdefCDEF").find(escape[3]) != std::string_view::npos;
}

// Bytes of the escape at the start of `rest`, both surrogates of a pair included; sets `decoded` to
// its bytes after decoding.
std::size_t escape_size(std::string_view rest, std::size_t& decoded) {
  if (rest.size() < 6 || rest[1] != 'u') {
    decoded = 1;
    return 2;
  }
  if (is_high_surrogate(rest) && is_low_surrogate(rest.substr(6))) {
    decoded = 4;
    return 12;
  }
  // The bytes of the code point in UTF-8, by its hexadecimal digits at 2 to 5.
  const auto zero = [&](std::size_t at) { return rest[at] == '0'; };
  decoded = zero(2) && zero(3) && rest[4] < '8' ? 1 : zero(2) && rest[3] < '8' ? 2 : 3;
  return 6;
}

// Whether the backslash at `at` starts an escape, that is, is not itself escaped.
bool begins_escape(std::string_view source, std::size_t at) {
  std::size_t slashes = 0;
  while (slashes < at && source[at - 1 - slashes] == '\\') ++slashes;
  return slashes % 2 == 0;
}

// The end of the last line, if it is near the end of the piece; else the end of the piece.
std::size_t at_line_end(std::string_view piece) {
  const std::size_t near = std::min(piece.size() / 4, kNearLineEnd);
  for (std::size_t at = piece.size(); at > piece.size() - near && at >= 2; --at) {
    if (piece[at - 1] == 'n' && piece[at - 2] == '\\' && begins_escape(piece, at - 2)) return at;
  }
  return piece.size();
}

}  // namespace

std::size_t safe_cut(std::string_view source, std::size_t bytes) {
  if (source.size() <= bytes) return source.size();
  std::size_t at = utf8::prefix(source, bytes).size();
  for (std::size_t back = 1; back <= std::min<std::size_t>(at, 5); ++back) {
    const std::size_t begin = at - back;
    if (source[begin] != '\\' || !begins_escape(source, begin)) continue;
    const std::size_t length = source[begin + 1] == 'u' ? 6 : 2;
    if (begin + length > at) at = begin;
    break;
  }
  const bool splits_pair = at >= 6 && source[at - 6] == '\\' && begins_escape(source, at - 6) &&
                           is_high_surrogate(source.substr(at - 6)) &&
                           is_low_surrogate(source.substr(at));
  return splits_pair ? at - 6 : at;
}

std::size_t decoded_size(std::string_view source) {
  std::size_t total = source.size();
  std::size_t decoded = 0;
  for (std::size_t at = source.find('\\'); at != std::string_view::npos;
       at = source.find('\\', at)) {
    const std::size_t length = escape_size(source.substr(at), decoded);
    total -= length - decoded;
    at += length;
  }
  return total;
}

std::size_t last_line(std::string_view source) {
  std::size_t lines = source.empty() ? 0 : 1;
  for (std::size_t at = source.find('\\'); at != std::string_view::npos;
       at = source.find('\\', at)) {
    const std::string_view escape = source.substr(at);
    const bool feed =
        escape[1] == 'n' || escape.starts_with("\\u000a") || escape.starts_with("\\u000A");
    at += escape[1] == 'u' ? 6 : 2;
    // A line feed at the end begins no further line.
    if (feed && at < source.size()) ++lines;
  }
  return lines;
}

std::size_t lines_left(std::string_view shown, std::string_view rest) {
  std::size_t line_ends = 0;
  std::size_t last_begin = 0;  // of the line that the text ends with
  for (std::size_t at = rest.find('\\'); at < rest.size(); at = rest.find('\\', at + 2)) {
    const std::string_view escape = rest.substr(at, 6);
    const bool named = escape.starts_with("\\n");
    if (!named && escape != "\\u000a" && escape != "\\u000A") continue;
    ++line_ends;
    last_begin = at + (named ? 2 : 6);
  }
  const std::size_t lines = line_ends + (last_begin < rest.size() ? 1 : 0);
  const auto ends_with = [&](std::string_view feed) {
    return shown.ends_with(feed) && begins_escape(shown, shown.size() - feed.size());
  };
  const bool starts_line =
      shown.empty() || ends_with("\\n") || ends_with("\\u000a") || ends_with("\\u000A");
  // Of the line that `shown` ends in, a part is shown.
  const std::size_t not_shown = starts_line || lines == 0 ? lines : lines - 1;
  return std::max<std::size_t>(1, not_shown);
}

bool append_clipped(std::string& out, std::string_view source, std::size_t bytes,
                    const TextSize& whole) {
  if (source.size() < bytes + kLeastClip) return false;
  std::string_view kept = source.substr(0, safe_cut(source, bytes));
  kept = kept.substr(0, at_line_end(kept));
  const std::size_t missing = whole.bytes - decoded_size(kept);
  if (missing < kLeastClip) return false;
  out.reserve(out.size() + kept.size() + 80);
  out += '"';
  out += kept;
  out += kMarker;
  if (whole.lines > 1 && !kept.empty()) {
    fmt::format_to(std::back_inserter(out), "stopped at line {} of {}, ", last_line(kept),
                   whole.lines);
  }
  fmt::format_to(std::back_inserter(out), "+{} bytes]\"", missing);
  return true;
}

bool append_clipped(std::string& out, std::string_view source, std::size_t bytes) {
  if (source.size() < bytes + kLeastClip) return false;
  const std::size_t lines = source.size() < kWorthCounting ? 1 : last_line(source);
  return append_clipped(out, source, bytes, TextSize{decoded_size(source), lines});
}

void append_label(std::string& out, std::string_view source, std::size_t bytes) {
  const bool whole = source.size() <= bytes + kEllipsis.size();
  out += '"';
  out += whole ? source : source.substr(0, safe_cut(source, bytes));
  if (!whole) out += kEllipsis;
  out += '"';
}

std::size_t characters_of(std::string_view quoted) {
  return utf8::length(json::parse_own(quoted).view().string());
}

}  // namespace enfold::budget::detail
