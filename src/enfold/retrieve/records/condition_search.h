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

  /// The records that meet the condition. Only lists of which some record has a member of the
  /// condition are searched, so that a negation (`not x exists`) does not match unrelated lists.
  /// Fails with `invalid_input` if no list is left; the message names members of the records. If no
  /// record meets the condition, notes tell how many would meet it if case were ignored, or if
  /// values were read as texts.
  [[nodiscard]] Result<QueryResult> run() const;

 private:
  using UseListOfPart = std::function<void(const RecordList&, const AnswerPart&)>;
  /// Calls `use` for each outermost list of each part, with the part that has the list.
  void each_list(const UseListOfPart& use) const;
  /// The number of records that meet the condition in any list.
  [[nodiscard]] std::size_t count_matches(const Condition& condition) const;
  /// Notes for a search without a match: what would match if it were written otherwise.
  [[nodiscard]] std::vector<std::string> explain_none() const;

  const Condition& condition_;
  answer::Window window_;
  std::vector<AnswerPart> parts_;  ///< the JSON in the answer, without plain texts
};

/// Notes for a SELECT that found nothing: texts in it that `value` has only in another case.
[[nodiscard]] std::vector<std::string> near_texts(std::string_view statement, json::View value);

}  // namespace enfold::retrieve
