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
  std::string place;   ///< JSON Pointer: in the answer, or for RecordChange in the record
  std::string before;  ///< JSON, shortened to 80 bytes; empty: there was no value
  std::string after;   ///< likewise; empty: there is no value
};

struct RecordChange {
  enum class Kind { added, removed, changed };
  Kind kind = Kind::changed;
  std::string id;                   ///< the text of the id; without one, the record as JSON
  std::vector<ValueChange> values;  ///< of a changed record; else empty
};

struct ListChange {
  std::string pointer;  ///< of the list in the second answer
  std::string by;  ///< the member that identifies records; "key" for a map; empty: their content
  std::size_t added = 0, removed = 0, changed = 0, same = 0;
  /// Added and changed ones in the order of the second answer, then removed ones.
  std::vector<RecordChange> records;
};

struct AnswerChange {
  std::vector<ListChange> lists;    ///< every pair of lists, even without a change
  std::vector<ValueChange> values;  ///< outside of these pairs, also in a list without a partner

  [[nodiscard]] bool any() const;
};

/// Compares payloads; places count from their roots. Lists are paired by their place; if each
/// answer has one list, these are a pair. In an answer
/// without JSON, a text is the list of its lines.
[[nodiscard]] AnswerChange compare_answers(const json::Value& before, const json::Value& after);

}  // namespace enfold::retrieve
