// SPDX-License-Identifier: Apache-2.0
// Pagination cursors, unsigned and signed: a compact JSON object with "version":1, in padded
// URL-safe Base64.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

namespace enfold::contract {

/// `position` must be an object; a member `version` in it is replaced. Non-ASCII is escaped.
[[nodiscard]] std::string encode_cursor(json::View position);
/// The cursor of the position {"offset": offset_number}. `offset_number` is the JSON text of a
/// number.
[[nodiscard]] std::string encode_offset_cursor(std::string_view offset_number);
/// The cursor of the position {member: text}.
[[nodiscard]] std::string encode_text_cursor(std::string_view member, std::string_view text);

/// The position in an unsigned cursor; any `version` is accepted, and a cursor without one. The
/// error's message begins with the reason: empty, decode_failed or not_a_dict.
[[nodiscard]] Result<json::Value> decode_cursor(std::string_view cursor);

/// The requested page size, or `standard` for nullopt, clamped to 1…`most`; 1 if `most` is below 1.
[[nodiscard]] std::int64_t clamp_page_size(std::optional<std::int64_t> requested,
                                           std::int64_t standard = 100, std::int64_t most = 1000);

// Signed pagination cursors: the last member `mac` is an HMAC over the position and the principal,
// so a client can neither change a cursor nor use one that was issued to another principal.

/// The secret of one installation, shared by its replicas.
class CursorKey {
 public:
  /// At least 16 random bytes.
  [[nodiscard]] static Result<CursorKey> from_bytes(std::string bytes);
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  explicit CursorKey(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string bytes_;
};

/// `position` must be an object; members `version` and `mac` in it are replaced.
[[nodiscard]] std::string sign_cursor(json::View position, const CursorKey& key,
                                      std::string_view principal);

/// The position as it was signed, with `version`, without `mac`. The error's message begins with
/// the reason: those of decode_cursor, not_signed, or bad_signature for a cursor that was forged,
/// altered, or issued to another principal.
[[nodiscard]] Result<json::Value> verify_cursor(std::string_view cursor, const CursorKey& key,
                                                std::string_view principal);

}  // namespace enfold::contract
