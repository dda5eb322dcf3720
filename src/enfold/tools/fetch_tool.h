// SPDX-License-Identifier: Apache-2.0
// The tool `enfold_fetch` returns parts of the archived answer that a handle or hash names, by id,
// JSON Pointer, range, search, condition or SQL, in pages with signed cursors and within the
// caller's budget. Its answers are not archived again: the next page has what does not fit.
#pragma once

#include "enfold/retrieve/page.h"
#include "enfold/store/archive.h"

namespace enfold::tools {

struct OfferedTool;
class OpenedAnswers;

inline constexpr std::string_view kFetchTool = answer::kFetchToolName;

/// The archived answers that a call may ask for.
struct FetchSource {
  store::Archive* archive = nullptr;         ///< must be set
  const contract::CursorKey* key = nullptr;  ///< signs cursors; nullptr: there are no cursors
  std::string principal;                     ///< whose answers may be read
  store::Time now;                           ///< of the call
  OpenedAnswers* opened = nullptr;           ///< that were queried last; nullptr: none are kept
};

/// The entry of a handle, a hash, or the beginning of a hash ("sha256:ab12..."), which Enfold
/// prints where there is little room. `not_found` if there is no such entry; `invalid_input` if
/// several hashes have this beginning.
[[nodiscard]] Result<store::Entry> find_entry(store::Archive& archive, std::string_view principal,
                                              std::string_view reference, store::Time now);

/// The answer to a call of `enfold_fetch`. Never an error: the response reports invalid arguments,
/// a missing or expired entry and an unreachable archive as a failure. Reads the archive, so it
/// belongs on a worker.
[[nodiscard]] answer::ReadAnswer fetch(json::View arguments, const FetchSource& source,
                                       const answer::FitSettings& settings,
                                       const answer::Call& call);

/// Whether the arguments name an answer in this archive, by handle or cursor. Reads the archive, so
/// it belongs on a worker.
[[nodiscard]] bool is_in_archive(json::View arguments, const FetchSource& source);

/// The argument of a call that begins like a cursor to the next records of a cut answer (its
/// signature is not checked): then the tool need not run. nullopt: there is no such argument; or
/// the tool declares it and the cursor was made with another key than `key`, so the tool may have
/// made it; or the tool is `enfold_fetch`, which reads the cursors of all tools itself.
[[nodiscard]] std::optional<std::string> own_cursor(json::View arguments, const OfferedTool& tool,
                                                    const contract::CursorKey& key);

/// The next records of an answer of `tool` that was cut, in the form of the tool's answers. A
/// cursor of another tool is refused. Otherwise like `fetch`.
[[nodiscard]] answer::ReadAnswer continue_call(const std::string& cursor, const FetchSource& source,
                                               const answer::FitSettings& settings,
                                               const answer::Call& call, const std::string& tool);

/// `has_sql`: whether statements can be run (retrieve::has_sql).
[[nodiscard]] std::string_view fetch_tool_description(bool has_sql);
[[nodiscard]] json::Value fetch_tool_input_schema();

}  // namespace enfold::tools
