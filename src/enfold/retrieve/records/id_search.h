// SPDX-License-Identifier: Apache-2.0
// Finds records by id. An id is the text of a member that identifies records, or a pointer as in
// `dropped_content_ids`.
#pragma once

#include "enfold/answer/stored/places.h"
#include "enfold/base/result.h"

#include <string>
#include <vector>

namespace enfold::retrieve {

struct FoundIds {
  std::vector<answer::Place>
      records;  ///< of the window; in the order of the ids, then of the answer
  std::size_t total = 0;
  std::vector<std::string> missing;
};

/// Looks up pointers first, then ids in the outermost lists, then in nested lists. `not_found` if
/// no id exists. Records outside the window take four bytes each.
[[nodiscard]] Result<FoundIds> find_ids(const answer::ArchivedAnswer& opened,
                                        const answer::Place& scope,
                                        const std::vector<std::string>& ids, bool raw_result,
                                        answer::Window window = {});

}  // namespace enfold::retrieve
