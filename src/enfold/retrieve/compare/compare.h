// SPDX-License-Identifier: Apache-2.0
// What is different between two answers: records that were added, removed or changed, by their id,
// and values outside of lists.
#pragma once

#include "enfold/json/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace enfold::retrieve {

struct ValueChange {
  std::string place;   ///< JSON Pointer in the answer, or below the record
  std::string before;  ///< JSON, shortened; empty: there was none
  std::string after;   ///< empty: there is none
};

struct RecordChange {
  enum class Kind { added, removed, changed };
  Kind kind = Kind::changed;
  std::string id;                   ///< the text of the id, or the record itself
  std::vector<ValueChange> values;  ///< of a changed record
};

struct ListChange {
  std::string pointer;
  std::string by;  ///< the member that names the records; "key" for a map; empty: by content
  std::size_t added = 0, removed = 0, changed = 0, same = 0;
  std::vector<RecordChange> records;  ///< in the order of the answers; same ones are left out
};

struct AnswerChange {
  std::vector<ListChange> lists;
  std::vector<ValueChange> values;

  [[nodiscard]] bool any() const;
};

/// Lists are paired by their place; if each answer has one list, these are a pair. A text is the
/// list of its lines.
[[nodiscard]] AnswerChange compare_answers(const json::Value& before, const json::Value& after);

}  // namespace enfold::retrieve
