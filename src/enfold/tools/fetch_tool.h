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

struct FetchSource {
  store::Archive* archive = nullptr;         ///< must be set
  const contract::CursorKey* key = nullptr;  ///< signs cursors; nullptr: there are none
  std::string principal;                     ///< whose answers may be read
  store::Time now;
  OpenedAnswers* opened = nullptr;  ///< those that were asked last; nullptr: none is kept
};

/// The entry of a handle, a hash, or a hash cut short ("sha256:ab12..."), as Enfold prints it where
/// there is little room. `not_found` if there is none; `invalid_input` if several hashes begin so.
[[nodiscard]] Result<store::Entry> find_entry(store::Archive& archive, std::string_view principal,
                                              std::string_view reference, store::Time now);

/// Never returns an error: the response reports invalid arguments, a missing or expired entry and
/// an unreachable archive as a failure. Reads the archive, so it belongs on a worker.
[[nodiscard]] answer::ReadAnswer fetch(json::View arguments, const FetchSource& source,
                                       const answer::FitSettings& settings,
                                       const answer::Call& call);

/// Whether the arguments name an answer in this archive, by handle or cursor. Reads the archive, so
/// it belongs on a worker.
[[nodiscard]] bool is_in_archive(json::View arguments, const FetchSource& source);

/// The argument of a call that begins like a cursor to the next records of a cut answer (its
/// signature is not checked): then the tool need not run. nullopt: there is none, or it is of
/// another key than `key` and in an argument that the tool declares, so the tool may have made it;
/// nullopt also for `enfold_fetch`, which reads cursors itself, those of all tools.
[[nodiscard]] std::optional<std::string> own_cursor(json::View arguments, const OfferedTool& tool,
                                                    const contract::CursorKey& key);

/// The next records of an answer of `tool` that was cut, in the form of the tool's answers. A
/// cursor of another tool is refused. Like `fetch` otherwise.
[[nodiscard]] answer::ReadAnswer continue_call(const std::string& cursor, const FetchSource& source,
                                               const answer::FitSettings& settings,
                                               const answer::Call& call, const std::string& tool);

[[nodiscard]] std::string_view fetch_tool_description();
[[nodiscard]] json::Value fetch_tool_input_schema();

}  // namespace enfold::tools
