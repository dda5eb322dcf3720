// SPDX-License-Identifier: Apache-2.0
// Packed cursors as text: bytes with a signature over them and the principal that the cursor is
// issued to, in Base64.
#pragma once

#include "enfold/contract/cursors/cursor.h"

#include <string>
#include <string_view>

namespace enfold::contract {

/// One kind of cursor. A signature of one kind is not valid for another.
struct CursorKind {
  std::string_view purpose;   ///< signed together with the bytes
  std::size_t mac_bytes = 0;  ///< the signature is cut to this length, to save tokens
};

/// The bytes of `body` and their signature, as Base64.
[[nodiscard]] std::string seal(std::string_view body, const CursorKind& kind, const CursorKey& key,
                               std::string_view principal);

/// The bytes that `seal` got, after the signature was verified. Refused with decode_failed (no
/// Base64, or too short) or bad_signature.
[[nodiscard]] Result<std::string> open_sealed(std::string_view cursor, const CursorKind& kind,
                                              const CursorKey& key, std::string_view principal);

/// The error of a cursor that cannot be used; its message begins with `reason`.
[[nodiscard]] tl::unexpected<Error> refuse_cursor(std::string_view reason,
                                                  std::string_view explanation);

}  // namespace enfold::contract
