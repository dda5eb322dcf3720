// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/continuation.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/packing.h"
#include "enfold/contract/cursors/sealed.h"

namespace enfold::contract {
namespace {

// The mark and the name of the key are written before the sealed cursor; they are not signed.
constexpr std::size_t kKeyNameSize = 4;  // bytes
constexpr CursorKind kKind{.purpose = "enfold continuation", .mac_bytes = 12};

/// Distinguishes the cursors of two keys, without telling anything about the keys.
std::string name_of(const CursorKey& key) {
  const auto mac = hmac_sha256(key.bytes(), "enfold continuation: name of the key");
  return to_base64url(std::string(mac.begin(), mac.end())).substr(0, kKeyNameSize);
}

// Each range is packed as two numbers: the records between the previous range (or the start of the
// list) and this one, and the length of this one less one.
std::string pack(const Continuation& continuation) {
  Packer packer;
  packer.handle(continuation.handle);
  std::size_t end = 0;  // after the last record of the previous range
  for (const model::RecordRange& range : continuation.left) {
    packer.number(range.first - end);
    packer.number(range.last - range.first);
    end = range.last + 1;
  }
  return packer.take();
}

std::optional<Continuation> unpack(std::string_view bytes) {
  constexpr std::uint64_t most = UINT32_MAX;  // records of one list
  Unpacker from(bytes);
  Continuation out{.handle = from.handle(), .left = {}};
  std::uint64_t end = 0;
  while (from.has_more()) {
    const std::uint64_t skipped = from.number();
    const std::uint64_t after_first = from.number();  // records of the range after its first
    if (skipped > most || after_first > most || end > most) return std::nullopt;
    out.left.push_back({end + skipped, end + skipped + after_first});
    end += skipped + after_first + 1;
  }
  return from.is_sound() ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

std::string to_cursor(const Continuation& continuation, const CursorKey& key,
                      std::string_view principal) {
  return std::string(kContinuationMark) + name_of(key) +
         seal(pack(continuation), kKind, key, principal);
}

bool is_continuation(std::string_view cursor) { return cursor.starts_with(kContinuationMark); }

bool is_continuation_of(std::string_view cursor, const CursorKey& key) {
  return is_continuation(cursor) &&
         cursor.substr(kContinuationMark.size()).starts_with(name_of(key));
}

Result<Continuation> read_continuation(std::string_view cursor, const CursorKey& key,
                                       std::string_view principal) {
  constexpr std::size_t prefix_size = kContinuationMark.size() + kKeyNameSize;
  const bool has_body = is_continuation(cursor) && cursor.size() > prefix_size;
  if (has_body && !is_continuation_of(cursor, key)) {
    return refuse_cursor("bad_signature", "expected a cursor that was made here for this caller");
  }
  const std::string_view sealed = has_body ? cursor.substr(prefix_size) : "";
  const Result<std::string> body = open_sealed(sealed, kKind, key, principal);
  if (!body) return tl::unexpected(body.error());
  std::optional<Continuation> found = unpack(*body);
  if (!found) return refuse_cursor("decode_failed", "expected a cursor of this version");
  return *std::move(found);
}

std::optional<std::string> cursor_of(const model::Page& page) {
  if (page.cursor) return page.cursor;
  if (page.next_offset) return encode_offset_cursor(page.next_offset->text);
  if (page.after) return encode_text_cursor("after", *page.after);
  if (page.before) return encode_text_cursor("before", *page.before);
  return std::nullopt;
}

std::size_t count_of(const std::vector<model::RecordRange>& ranges) {
  std::size_t count = 0;
  for (const model::RecordRange& range : ranges) count += range.last - range.first + 1;
  return count;
}

std::vector<model::RecordRange> without_first(std::vector<model::RecordRange> ranges,
                                              std::size_t count) {
  std::size_t whole = 0;  // ranges that are removed entirely
  for (; whole < ranges.size(); ++whole) {
    const std::size_t size = ranges[whole].last - ranges[whole].first + 1;
    if (size > count) break;
    count -= size;
  }
  ranges.erase(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(whole));
  if (!ranges.empty()) ranges.front().first += count;
  return ranges;
}

}  // namespace enfold::contract
