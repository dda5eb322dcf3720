// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/cursor.h"

#include "enfold/base/text.h"
#include "enfold/base/utf8.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

constexpr std::string_view kHint =
    "pass back the cursor of the previous page unchanged, or none for the first page";

// In JSON text, non-ASCII bytes occur only in strings, where they can be written as escapes.
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
std::string seal(json::Writer&& position) {
  position.key("version").integer(1).end_object();
  return to_base64url(ascii_only(std::move(position).finish().str()));
}

tl::unexpected<Error> refuse(std::string_view reason, std::string_view why,
                             std::string_view cursor) {
  const std::string shown = utf8::shortened(cursor, 200);
  return fail(ErrorCode::invalid_input, fmt::format("{}: {}", reason, why),
              shown.empty() ? std::string("cursor") : fmt::format("cursor {}", json::quote(shown)),
              std::string(kHint));
}

}  // namespace

std::string encode_cursor(json::View position) {
  json::Writer writer;
  writer.begin_object();
  json::write_members(writer, position,
                      [](const json::Member& member) { return !member.key.equals("version"); });
  return seal(std::move(writer));
}

std::string encode_offset_cursor(std::string_view offset_number) {
  json::Writer writer;
  writer.begin_object().key("offset").number(offset_number);
  return seal(std::move(writer));
}

std::string encode_text_cursor(std::string_view member, std::string_view text) {
  json::Writer writer;
  writer.begin_object().member(member, text);
  return seal(std::move(writer));
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

}  // namespace enfold::contract
