// SPDX-License-Identifier: Apache-2.0
// Fits a page to the budget of its call: the answer ends with the last row that fits, and the
// cursor continues after it.
#pragma once

#include "enfold/answer/answer.h"
#include "enfold/contract/cursors/cursor.h"
#include "enfold/server/page.h"

namespace enfold::server {

/// Names a list in its cursors, by a hash of both arguments. `list`: PageDraft::list. Short,
/// because a model copies the cursor from call to call.
[[nodiscard]] std::string name_of_list(const std::string& tool, std::string_view list);

/// For which tool and principal the cursors of a page are signed, and with which key.
struct PageOwner {
  const std::string& tool;
  const std::string& principal;
  const contract::CursorKey& key;
};

/// Fails if the budget of a call has no room for a page with one short row, and names the smallest
/// budget that has room. Checked before the handler runs. The result is the same for every page of
/// a list, so a client that got the first page gets all.
[[nodiscard]] Status check_page_budget(const answer::AnswerPlan& plan,
                                       const answer::ToolRequest& request, const PageOwner& owner);

/// The answer with as many rows as fit. If not even one fits, the answer with one row as a
/// PreparedAnswer: the caller stores its original and finishes it, which cuts the row.
[[nodiscard]] answer::BeginResult begin_page(const json::Value& payload, const PageDraft& draft,
                                             const answer::ToolContext& additions,
                                             const answer::AnswerPlan& plan,
                                             const answer::ToolRequest& request,
                                             const PageOwner& owner);

}  // namespace enfold::server
