// SPDX-License-Identifier: Apache-2.0
// Finds records by the ids that name them. An id is the text of a member that tells records apart;
// a place as it stands in `dropped_content_ids` is accepted too.
#pragma once

#include "enfold/answer/places.h"
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

/// Places first, then the outermost lists, then the lists inside them. `not_found` when no id is
/// anywhere. Outside of the window a record takes four bytes.
[[nodiscard]] Result<FoundIds> find_ids(const answer::Opened& opened, const answer::Place& scope,
                                        const std::vector<std::string>& ids, bool raw_result,
                                        answer::Window window = {});

}  // namespace enfold::retrieve
