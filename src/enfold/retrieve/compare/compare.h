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
  std::string place;   ///< JSON Pointer from the payload, or in RecordChange from the record
  std::string before;  ///< JSON, shortened to 80 bytes; empty: there was no value
  std::string after;   ///< likewise; empty: there is no value
};

struct RecordChange {
  enum class Kind { added, removed, changed };
  Kind kind = Kind::changed;
  std::string id;                   ///< of the record; if it has no id, the record as JSON
  std::vector<ValueChange> values;  ///< of a changed record; else empty
};

struct ListChange {
  std::string pointer;  ///< of the list in the second answer
  std::string by;  ///< the member that identifies records; "key" for a map; empty: their content
  std::size_t added = 0, removed = 0, changed = 0, same = 0;  ///< numbers of records
  /// Added and changed records in the order of the second answer, then removed records.
  std::vector<RecordChange> records;
};

struct AnswerChange {
  std::vector<ListChange> lists;    ///< every pair of lists, even without a change
  std::vector<ValueChange> values;  ///< outside of these pairs, also in a list without a partner

  /// Whether a value or a record is different.
  [[nodiscard]] bool any() const;
};

/// Compares the payloads of two answers. Lists at the same place are a pair; so are the only lists
/// of both answers, wherever they are. In an answer without JSON, a text is the list of its lines.
[[nodiscard]] AnswerChange compare_answers(const json::Value& before, const json::Value& after);

}  // namespace enfold::retrieve
