// SPDX-License-Identifier: Apache-2.0
// The tool `enfold_fetch`: more of an answer that was cut, by handle or hash, content id, JSON
// Pointer, range, search or condition; in pages with signed cursors, within the caller's budget.
// Its answers are never cut into a second archive: what does not fit comes with the next page.
#pragma once

#include "enfold/retrieve/page.h"
#include "enfold/store/archive.h"

#include <string>
#include <string_view>

namespace enfold::tools {

inline constexpr std::string_view kFetchTool = answer::kFetchToolName;

struct FetchSource {
  store::Archive* archive = nullptr;         ///< never null
  const contract::CursorKey* key = nullptr;  ///< without one there are no cursors
  std::string principal;
  store::Time now;
};

/// Everything that can go wrong is a failed response: what was asked for in a wrong way, what is
/// not there (any more), a store that cannot be reached. Reads the archive, which may take a while.
[[nodiscard]] answer::ReadAnswer fetch(json::View arguments, const FetchSource& source,
                                       const answer::FitSettings& settings,
                                       const answer::Call& call);

[[nodiscard]] std::string_view fetch_tool_description();
[[nodiscard]] json::Value fetch_tool_input_schema();

}  // namespace enfold::tools
