// SPDX-License-Identifier: Apache-2.0
// The records of an answer that meet a condition, and why there may be none.
#pragma once

#include "enfold/retrieve/records/records.h"
#include "enfold/retrieve/retrieve.h"
#include "enfold/retrieve/tables/answer_parts.h"

namespace enfold::retrieve {

class ConditionSearch {
 public:
  /// `scope` and `condition` must outlive this object.
  ConditionSearch(const answer::Place& scope, const Condition& condition, answer::Window window);

  /// Only lists whose records have a member of the condition are searched, so that a negation does
  /// not match unrelated lists. If no record meets the condition, notes tell which would do so with
  /// other case or with values read as texts.
  [[nodiscard]] Result<QueryResult> run() const;

 private:
  using UsePart = std::function<void(const RecordList&, const AnswerPart&)>;
  void each_list(const UsePart& use) const;
  [[nodiscard]] std::size_t count(const Condition& condition) const;
  [[nodiscard]] std::vector<std::string> explain_none() const;

  const Condition& condition_;
  answer::Window window_;
  std::vector<AnswerPart> parts_;  ///< what the records are views of
};

/// Why a statement may have found nothing: texts in it that the answer has only in another case.
[[nodiscard]] std::vector<std::string> near_texts(std::string_view statement, json::View value);

}  // namespace enfold::retrieve
