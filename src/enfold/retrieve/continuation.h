// SPDX-License-Identifier: Apache-2.0
// The records of a cut answer that its reader did not get yet, in pages. The last page carries what
// the tool itself says about its next page.
#pragma once

#include "enfold/contract/cursors/continuation.h"
#include "enfold/retrieve/page.h"

namespace enfold::retrieve {

struct ContinueRequest {
  contract::Continuation from;
  answer::Receipt archived;
  std::string tool;  ///< whose answer it is
  contract::CursorSigner cursors;
  std::optional<std::size_t> page_size;  ///< nullopt: as many records as fit
  /// The page is the tool's payload with these records in its list, as a reader of the tool expects
  /// it and its output schema asks for; else the list of records alone.
  bool in_payload = false;
};

/// `archived` is the archived answer, read by its `media_type`. Fails with `invalid_input` if the
/// answer has no such records, and like answer_page.
[[nodiscard]] Result<answer::FittedAnswer> continue_answer(std::string_view archived,
                                                           std::string_view media_type,
                                                           const ContinueRequest& request,
                                                           const answer::FitSettings& settings);

}  // namespace enfold::retrieve
