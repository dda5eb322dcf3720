// SPDX-License-Identifier: Apache-2.0
// Pages of a query result. A cursor holds the archive handle and the query, so the next page
// belongs to the same result.
#pragma once

#include "enfold/retrieve/cursor.h"
#include "enfold/retrieve/retrieve.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

/// One page of a query result.
struct ResultPage {
  json::Value value;  ///< same kind as the whole value, with the parts of this page
  std::vector<Match> matches;
  std::size_t offset = 0;
  std::size_t size = 0;  ///< parts in `value`
  std::size_t total = 0;
  std::optional<std::size_t> next;  ///< always greater than `offset`
};

/// The window of records that a page needs; `page_size` is clamped to 1…1000.
[[nodiscard]] answer::Window window_at(std::size_t offset, std::size_t page_size);

/// `page_size` is clamped to 1…1000. An offset beyond the end is `invalid_input`, unless the value
/// is empty. A value without parts is one page.
[[nodiscard]] Result<ResultPage> page(const QueryResult& found, std::size_t offset,
                                      std::size_t page_size);

/// Pagination for the envelope, with the cursor to the next page.
[[nodiscard]] Result<model::Page> page_info(const ResultPage& page, const Position& position,
                                            const contract::CursorKey& key,
                                            std::string_view principal);

/// Fails with `internal` unless `next` makes progress in the same archived answer: a larger offset
/// in the same query, a part that the query selected, or later characters of a text. This rules out
/// endless paging.
[[nodiscard]] Status check_advance(const Position& from, const Position& next);

}  // namespace enfold::retrieve
