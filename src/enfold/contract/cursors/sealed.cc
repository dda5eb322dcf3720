// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/cursors/sealed.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/contract/cursors/packing.h"

#include <fmt/core.h>

namespace enfold::contract {
namespace {

// The principal is preceded by its length, so different pairs of principal and body never give the
// same message.
std::string mac_of(std::string_view body, const CursorKind& kind, const CursorKey& key,
                   std::string_view principal) {
  Packer message;
  message.text(kind.purpose);
  message.text(principal);
  const auto mac = hmac_sha256(key.bytes(), message.take() + std::string(body));
  return {mac.begin(), mac.begin() + static_cast<std::ptrdiff_t>(kind.mac_bytes)};
}

}  // namespace

std::string seal(std::string_view body, const CursorKind& kind, const CursorKey& key,
                 std::string_view principal) {
  return to_base64url(std::string(body) + mac_of(body, kind, key, principal));
}

Result<std::string> open_sealed(std::string_view cursor, const CursorKind& kind,
                                const CursorKey& key, std::string_view principal) {
  const auto bytes = from_base64url(cursor);
  if (!bytes || bytes->size() <= kind.mac_bytes) {
    return refuse_cursor("decode_failed", "expected a cursor that a page gave");
  }
  std::string body = bytes->substr(0, bytes->size() - kind.mac_bytes);
  const std::string_view mac = std::string_view(*bytes).substr(body.size());
  if (!equal_in_constant_time(mac, mac_of(body, kind, key, principal))) {
    return refuse_cursor("bad_signature", "expected a cursor that was made here for this caller");
  }
  return body;
}

tl::unexpected<Error> refuse_cursor(std::string_view reason, std::string_view explanation) {
  return fail(ErrorCode::invalid_input, fmt::format("{}: {}", reason, explanation), "cursor",
              "pass back the cursor of the previous page unchanged, or none for the first page");
}

}  // namespace enfold::contract
