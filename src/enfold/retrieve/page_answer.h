// SPDX-License-Identifier: Apache-2.0
// Renders what a query found as an answer within the budget: as many whole records, members or
// lines as fit, and a signed cursor to the next page. A single part that does not fit is cut; what
// is missing is then named by JSON Pointers into the archived answer.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "enfold/retrieve/page.h"

#include <cstddef>
#include <string>

namespace enfold::retrieve {

struct PageRequest {
  Position position;
  std::optional<std::size_t> page_size;      ///< overrides the page size of the position
  answer::Receipt archived;                  ///< the archived answer
  const contract::CursorKey* key = nullptr;  ///< nullptr: no cursors
  std::string principal;
};

/// The window that `answer_page` needs.
[[nodiscard]] answer::Window window_of(const PageRequest& request);

/// An object with most of its bytes in one member is fitted as a whole, without pages.
/// `budget_too_small` if the envelope and the cursor leave no room.
[[nodiscard]] Result<answer::FittedAnswer> answer_page(const QueryResult& found,
                                                       const PageRequest& request,
                                                       const answer::FitSettings& settings);

}  // namespace enfold::retrieve
