// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/signed_cursor.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/json/write.h"

#include <fmt/core.h>
#include <span>

namespace enfold::contract {
namespace {

constexpr std::string_view kHint =
    "pass back the cursor of the previous page unchanged, or none for the first page";
constexpr std::string_view kMember = ",\"mac\":\"";
constexpr std::string_view kEnd = "\"}";
constexpr std::size_t kMacBytes = 16;
constexpr std::size_t kSealSize = kMember.size() + 2 * kMacBytes + kEnd.size();

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

tl::unexpected<Error> refuse(std::string_view reason, std::string_view why) {
  return fail(ErrorCode::invalid_input, fmt::format("{}: {}", reason, why), "cursor",
              std::string(kHint));
}

}  // namespace

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
  json.pop_back();  // the brace; encode_cursor always leaves a member before it
  return to_base64url(fmt::format("{}{}{}{}", json, kMember, mac, kEnd));
}

// Verifies the mac over the bytes before it uses anything inside them.
Result<json::Value> verify_cursor(std::string_view cursor, const CursorKey& key,
                                  std::string_view principal) {
  Result<json::Value> decoded = decode_cursor(cursor);
  if (!decoded) return decoded;
  const std::string text = from_base64url(cursor).value();
  const std::size_t body = text.size() < kSealSize ? 0 : text.size() - kSealSize;
  const std::string_view seal = std::string_view(text).substr(body);
  if (body == 0 || !seal.starts_with(kMember) || !seal.ends_with(kEnd)) {
    return refuse("not_signed", "expected a cursor that ends with its mac");
  }
  const std::string json = text.substr(0, body) + "}";
  const std::string_view mac = seal.substr(kMember.size(), 2 * kMacBytes);
  if (!equal_in_constant_time(mac, mac_of(json, key, principal))) {
    return refuse("bad_signature", "expected a cursor that was made here for this caller");
  }
  const Result<json::Document> position = json::parse(std::string_view(json));
  if (!position) return refuse("bad_signature", "expected a cursor that was made here");
  return position->value();
}

}  // namespace enfold::contract
