// SPDX-License-Identifier: Apache-2.0
// Records of a list, named by their positions.
#pragma once

#include <cstddef>

namespace enfold::model {

/// Positions from 0, both ends included.
struct RecordRange {
  std::size_t first = 0;
  std::size_t last = 0;
  friend bool operator==(const RecordRange&, const RecordRange&) = default;
};

}  // namespace enfold::model
