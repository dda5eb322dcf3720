// SPDX-License-Identifier: Apache-2.0
// The records of a cut answer that its reader did not get yet, in pages. The last of these pages
// has the tool's own cursor to more records, if the tool gave one.
#pragma once

#include "enfold/contract/cursors/continuation.h"
#include "enfold/retrieve/page.h"

namespace enfold::retrieve {

struct ContinueRequest {
  contract::Continuation from;           ///< from the client's cursor
  answer::Receipt archived;              ///< where the answer is archived
  std::string tool;                      ///< the tool that gave the answer
  contract::CursorSigner cursors;        ///< its key must be set
  std::optional<std::size_t> page_size;  ///< nullopt: as many records as fit, at most 1000
  /// True: the page is the tool's payload with these records in its list, as callers of the tool
  /// and its output schema expect. False, or if the list was read from a text in the payload: the
  /// page is the list of records alone.
  bool in_payload = false;
};

/// The first page of the records that `request.from` lists. `bytes`: the archived answer, which is
/// read by its `media_type`. Fails with `invalid_input` if the answer does not have these records,
/// and with the errors of answer_page.
[[nodiscard]] Result<answer::FittedAnswer> continue_answer(std::string_view bytes,
                                                           std::string_view media_type,
                                                           const ContinueRequest& request,
                                                           const answer::FitSettings& settings);

}  // namespace enfold::retrieve
