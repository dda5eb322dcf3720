// SPDX-License-Identifier: Apache-2.0
// Pages of what was found, and the way from one to the next. A cursor carries the archive and the
// query, so it continues exactly what it was made for.
#pragma once

#include "enfold/retrieve/cursor.h"
#include "enfold/retrieve/retrieve.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace enfold::retrieve {

struct FoundPage {
  json::Value value;  ///< the same kind of value as the whole, with some of its parts
  std::vector<Match> matches;
  std::size_t offset = 0;
  std::size_t size = 0;  ///< parts in `value`
  std::size_t total = 0;
  std::optional<std::size_t> next;  ///< always greater than `offset`
};

/// What has to be held for a page: `page_size` is clamped to 1…1000.
[[nodiscard]] answer::Window window_at(std::size_t offset, std::size_t page_size);

/// `page_size` is clamped to 1…1000. An offset at or behind the end is `invalid_input`, unless all
/// is empty. What has no parts is one page.
[[nodiscard]] Result<FoundPage> page(const Found& found, std::size_t offset, std::size_t page_size);

/// The members of a page that envelopes show, the cursor to the next one included.
[[nodiscard]] Result<model::Page> page_info(const FoundPage& page, const Position& position,
                                            const contract::CursorKey& key,
                                            std::string_view principal);

/// `internal` unless `next` is further on in the same answer: behind in the same query, in a part
/// that the query led to, or behind in the characters of a text.
[[nodiscard]] Status check_advance(const Position& from, const Position& next);

/// Watches whoever follows cursors that others make: one that comes back leads in a circle.
class AdvanceGuard {
 public:
  explicit AdvanceGuard(std::size_t most_pages = 10'000) : most_pages_(most_pages) {}
  /// `protocol_violation` for a cursor that was seen before, `limit_exceeded` for too many.
  [[nodiscard]] Status step(std::string_view next_cursor);

 private:
  std::size_t most_pages_;
  std::unordered_set<std::string> seen_;
};

}  // namespace enfold::retrieve
