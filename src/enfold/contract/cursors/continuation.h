// SPDX-License-Identifier: Apache-2.0
// The cursor of an answer that Enfold cut: which records of the archived answer the client did not
// get yet. The cursor is signed for its principal, and begins with a mark, so that a gateway can
// distinguish its own cursors from those of its upstreams.
#pragma once

#include "enfold/contract/cursors/cursor.h"
#include "enfold/contract/cursors/signer.h"
#include "enfold/model/record_range.h"
#include "enfold/model/response.h"

namespace enfold::contract {

struct Continuation {
  std::string handle;  ///< of the archived answer
  /// The records that the client did not get yet: ascending ranges with gaps between them.
  std::vector<model::RecordRange> left;
  friend bool operator==(const Continuation&, const Continuation&) = default;
};

inline constexpr std::string_view kContinuationMark = "EnfC";

[[nodiscard]] std::string to_cursor(const Continuation& continuation, const CursorKey& key,
                                    std::string_view principal);

/// Whether a text begins with kContinuationMark; its signature is not checked.
[[nodiscard]] bool is_continuation(std::string_view cursor);
/// Whether the mark is followed by the name of `key`; the signature is not checked. False for the
/// cursor of another installation of Enfold, such as an upstream that uses Enfold.
[[nodiscard]] bool is_continuation_of(std::string_view cursor, const CursorKey& key);

/// Reads what to_cursor wrote, and verifies its signature. The error's message begins with the
/// reason: decode_failed, or bad_signature for a cursor that was forged, altered, or issued to
/// another principal.
[[nodiscard]] Result<Continuation> read_continuation(std::string_view cursor, const CursorKey& key,
                                                     std::string_view principal);

/// The cursor that response-v2 writes for the next page: `cursor` of the page, else one that
/// encodes its next_offset, after or before; nullopt: the page has none of them.
[[nodiscard]] std::optional<std::string> cursor_of(const model::Page& page);

[[nodiscard]] std::size_t count_of(const std::vector<model::RecordRange>& ranges);
/// The ranges without their first `count` records.
[[nodiscard]] std::vector<model::RecordRange> without_first(std::vector<model::RecordRange> ranges,
                                                            std::size_t count);

}  // namespace enfold::contract
