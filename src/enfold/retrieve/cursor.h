// SPDX-License-Identifier: Apache-2.0
// A position in the result of a query over one archived answer, and its signed cursor. The encoding
// is compact because models pay for every cursor; docs/reference/retrieval.md describes the layout.
#pragma once

#include "enfold/contract/cursors/cursor.h"
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
  std::size_t page_size = kUsualPageSize;  ///< parts per page at most
  friend bool operator==(const Position&, const Position&) = default;
};

[[nodiscard]] std::string to_cursor(const Position& position, const contract::CursorKey& key,
                                    std::string_view principal);
/// The error's message begins with the reason: empty, decode_failed, or bad_signature for a cursor
/// that was forged, altered, or issued to another principal.
[[nodiscard]] Result<Position> from_cursor(std::string_view cursor, const contract::CursorKey& key,
                                           std::string_view principal);

}  // namespace enfold::retrieve
