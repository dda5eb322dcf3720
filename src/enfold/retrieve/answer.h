// SPDX-License-Identifier: Apache-2.0
// What a query found, as an answer within its budget: as many records, members or lines as fit,
// whole, and a signed cursor to the next. Only what does not fit by itself is cut, and what is
// then missing is named by places of the archived answer.
#pragma once

#include "enfold/answer/prepare.h"
#include "enfold/retrieve/page.h"

#include <cstddef>
#include <string>

namespace enfold::retrieve {

struct PageRequest {
  Position position;
  std::optional<std::size_t> page_size;      ///< instead of the position's
  answer::Receipt archived;                  ///< what `position` is a position in
  const contract::CursorKey* key = nullptr;  ///< without one there are no cursors
  std::string principal;
};

/// The window that `answer_page` needs.
[[nodiscard]] answer::Window window_of(const PageRequest& request);

/// An object that has most of its bytes in one member is fitted as one, without pages.
/// `budget_too_small` when the cursor and the envelope leave no room.
[[nodiscard]] Result<answer::Finished> answer_page(const Found& found, const PageRequest& request,
                                                   const answer::FitSettings& settings);

}  // namespace enfold::retrieve
