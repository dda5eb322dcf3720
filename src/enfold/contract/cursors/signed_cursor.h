// SPDX-License-Identifier: Apache-2.0
// Cursors over archived data: ordinary cursors with a last member `mac` that proves that this
// server made them, for this principal. What the position names (the archive's hash, the query)
// is covered by the mac, so a cursor opens nothing but what it was made for.
#pragma once

#include "enfold/base/result.h"
#include "enfold/json/document.h"

#include <string>
#include <string_view>

namespace enfold::contract {

/// The secret of one installation; all its replicas hold the same.
class CursorKey {
 public:
  /// At least 16 bytes, from a source of chance.
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
/// the reason: those of decode_cursor, not_signed, or bad_signature, which is all that is said
/// about a cursor that was forged, altered, or made for someone else.
[[nodiscard]] Result<json::Value> verify_cursor(std::string_view cursor, const CursorKey& key,
                                                std::string_view principal);

}  // namespace enfold::contract
