// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/continuation.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/packing.h"

#include <fmt/core.h>

namespace enfold::contract {
namespace {

constexpr std::string_view kMark = "EnfC";  // the Base64 of the first three bytes
constexpr std::size_t kMacBytes = 12;       // the mac is cut to save tokens

std::string mac_of(std::string_view body, const CursorKey& key, std::string_view principal) {
  Packer message;
  message.text("enfold continuation");
  message.text(principal);
  const auto mac = hmac_sha256(key.bytes(), message.take() + std::string(body));
  return {mac.begin(), mac.begin() + kMacBytes};
}

tl::unexpected<Error> refuse(std::string_view reason, std::string_view explanation) {
  return fail(ErrorCode::invalid_input, fmt::format("{}: {}", reason, explanation), "cursor",
              "pass back the cursor of the previous page unchanged, or none for the first page");
}

// Each range is packed as its distance from the end of the one before, and its length less one.
std::string pack(const Continuation& continuation) {
  Packer packer;
  packer.handle(continuation.handle);
  std::size_t end = 0;
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
    const std::uint64_t after_first = from.number();
    if (skipped > most || after_first > most || end > most) return std::nullopt;
    out.left.push_back({end + skipped, end + skipped + after_first});
    end += skipped + after_first + 1;
  }
  return from.is_sound() ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

std::string to_cursor(const Continuation& continuation, const CursorKey& key,
                      std::string_view principal) {
  const std::string body = pack(continuation);
  return std::string(kMark) + to_base64url(body + mac_of(body, key, principal));
}

bool is_continuation(std::string_view cursor) { return cursor.starts_with(kMark); }

// Verifies the mac over the bytes before it uses anything inside them.
Result<Continuation> read_continuation(std::string_view cursor, const CursorKey& key,
                                       std::string_view principal) {
  const auto bytes = is_continuation(cursor) ? from_base64url(cursor.substr(kMark.size()))
                                             : std::optional<std::string>();
  if (!bytes || bytes->size() <= kMacBytes) {
    return refuse("decode_failed", "expected a cursor that a page gave");
  }
  const std::string_view body = std::string_view(*bytes).substr(0, bytes->size() - kMacBytes);
  const std::string_view mac = std::string_view(*bytes).substr(body.size());
  if (!equal_in_constant_time(mac, mac_of(body, key, principal))) {
    return refuse("bad_signature", "expected a cursor that was made here for this caller");
  }
  std::optional<Continuation> found = unpack(body);
  if (!found) return refuse("decode_failed", "expected a cursor of this version");
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
