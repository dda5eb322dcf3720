// SPDX-License-Identifier: Apache-2.0
// Where a reader is in one query over one archived answer, and the signed cursor that says it. A
// cursor is shown to a model on every page, so it is packed: docs/reference/retrieval.md has the
// layout.
#pragma once

#include "enfold/contract/cursors/signed_cursor.h"
#include "enfold/retrieve/query.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::retrieve {

inline constexpr std::size_t kUsualPageSize = 100;

struct Position {
  std::string archive;  ///< handle or hash
  Query query;
  std::size_t offset = 0;
  std::size_t page_size = kUsualPageSize;  ///< the most parts of a page
  friend bool operator==(const Position&, const Position&) = default;
};

[[nodiscard]] std::string to_cursor(const Position& position, const contract::CursorKey& key,
                                    std::string_view principal);
/// The error's message begins with the reason: empty, decode_failed, or bad_signature, which is all
/// that is said about a cursor that was forged, altered, or made for someone else.
[[nodiscard]] Result<Position> from_cursor(std::string_view cursor, const contract::CursorKey& key,
                                           std::string_view principal);

}  // namespace enfold::retrieve
