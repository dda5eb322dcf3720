// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/cursor.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

constexpr std::string_view kHint =
    "pass back the cursor of the previous page unchanged, or none for the first page";

// The JSON text with each non-ASCII character as `\u` escapes. Such characters occur only in
// strings, where escapes are allowed.
std::string ascii_only(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const std::uint32_t point = utf8::next(json, at);
    if (point < 0x80) {
      out.push_back(static_cast<char>(point));
    } else if (point < 0x10000) {
      out += fmt::format("\\u{:04x}", point);
    } else {
      const std::uint32_t rest = point - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (rest >> 10), 0xDC00U + (rest & 0x3FFU));
    }
  }
  return out;
}

// Adds the version, closes the position object and encodes it.
std::string finish_cursor(json::Writer&& position) {
  position.key("version").integer(1).end_object();
  return to_base64url(ascii_only(std::move(position).finish().str()));
}

// `cursor` is quoted in the error, shortened; empty: it is not.
tl::unexpected<Error> refuse(std::string_view reason, std::string_view explanation,
                             std::string_view cursor = {}) {
  constexpr std::size_t most_shown = 200;  // bytes
  const std::string shown = utf8::shortened(cursor, most_shown);
  return fail(ErrorCode::invalid_input, fmt::format("{}: {}", reason, explanation),
              shown.empty() ? std::string("cursor") : fmt::format("cursor {}", json::quote(shown)),
              std::string(kHint));
}

// A signed cursor ends with its mac in hexadecimal: ,"mac":"…"}
constexpr std::string_view kMacBegin = ",\"mac\":\"";
constexpr std::string_view kMacEnd = "\"}";
constexpr std::size_t kMacBytes = 16;  // of the 32 of SHA-256
constexpr std::size_t kSuffixSize = kMacBegin.size() + 2 * kMacBytes + kMacEnd.size();

// NUL separates the parts: neither the label nor the ASCII JSON can contain one.
std::string mac_of(std::string_view json, const CursorKey& key, std::string_view principal) {
  std::string message("enfold cursor");
  message.push_back('\0');
  message += json;
  message.push_back('\0');
  message += principal;
  const auto mac = hmac_sha256(key.bytes(), message);
  return to_hex(std::span(mac).first(kMacBytes));
}

}  // namespace

std::string encode_cursor(json::View position) {
  json::Writer writer;
  writer.begin_object();
  json::write_members(writer, position,
                      [](const json::Member& member) { return !member.key.equals("version"); });
  return finish_cursor(std::move(writer));
}

std::string encode_offset_cursor(std::string_view offset_number) {
  json::Writer writer;
  writer.begin_object().key("offset").number(offset_number);
  return finish_cursor(std::move(writer));
}

std::string encode_text_cursor(std::string_view member, std::string_view text) {
  json::Writer writer;
  writer.begin_object().member(member, text);
  return finish_cursor(std::move(writer));
}

Result<json::Value> decode_cursor(std::string_view cursor) {
  if (cursor.empty()) return refuse("empty", "expected a cursor, found no text", cursor);
  const std::optional<std::string> text = from_base64url(cursor);
  if (!text) {
    return refuse("decode_failed", "expected URL-safe Base64 with padding", cursor);
  }
  const Result<json::Document> document = json::parse(std::string_view(*text));
  if (!document) {
    return refuse("decode_failed",
                  fmt::format("expected JSON inside the cursor, but {}", document.error().message),
                  cursor);
  }
  if (!document->root().is_object()) {
    return refuse("not_a_dict",
                  fmt::format("expected a JSON object inside the cursor, found {}",
                              json::name(document->root().kind())),
                  cursor);
  }
  return document->value();
}

std::int64_t clamp_page_size(std::optional<std::int64_t> requested, std::int64_t standard,
                             std::int64_t most) {
  const std::int64_t top = std::max<std::int64_t>(1, most);
  return std::clamp<std::int64_t>(requested.value_or(standard), 1, top);
}

Result<CursorKey> CursorKey::from_bytes(std::string bytes) {
  constexpr std::size_t least = 16;
  if (bytes.size() < least) {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("expected a cursor key of at least {} bytes, found {}", least, bytes.size()),
        "cursor key", "use 32 random bytes, the same on every replica");
  }
  return CursorKey(std::move(bytes));
}

std::string sign_cursor(json::View position, const CursorKey& key, std::string_view principal) {
  json::Writer unsigned_position;
  unsigned_position.begin_object();
  json::write_members(unsigned_position, position,
                      [](const json::Member& member) { return !member.key.equals("mac"); });
  unsigned_position.end_object();
  std::string json =
      from_base64url(encode_cursor(std::move(unsigned_position).finish_value().view())).value();
  const std::string mac = mac_of(json, key, principal);
  json.pop_back();  // the last brace; a member before it exists, because encode_cursor adds one
  return to_base64url(fmt::format("{}{}{}{}", json, kMacBegin, mac, kMacEnd));
}

// Verifies the mac over the bytes before it uses anything inside them.
Result<json::Value> verify_cursor(std::string_view cursor, const CursorKey& key,
                                  std::string_view principal) {
  Result<json::Value> decoded = decode_cursor(cursor);
  if (!decoded) return decoded;
  const std::string text = from_base64url(cursor).value();
  const std::size_t body_size = text.size() < kSuffixSize ? 0 : text.size() - kSuffixSize;
  const std::string_view suffix = std::string_view(text).substr(body_size);
  if (body_size == 0 || !suffix.starts_with(kMacBegin) || !suffix.ends_with(kMacEnd)) {
    return refuse("not_signed", "expected a cursor that ends with its mac");
  }
  const std::string json = text.substr(0, body_size) + "}";
  const std::string_view mac = suffix.substr(kMacBegin.size(), 2 * kMacBytes);
  if (!equal_in_constant_time(mac, mac_of(json, key, principal))) {
    return refuse("bad_signature", "expected a cursor that was made here for this caller");
  }
  const Result<json::Document> position = json::parse(std::string_view(json));
  if (!position) return refuse("bad_signature", "expected a cursor that was made here");
  return position->value();
}

}  // namespace enfold::contract
