// SPDX-License-Identifier: Apache-2.0
// Archived answers as resources, for clients that read resources: enfold://archive/HANDLE, with the
// arguments of enfold_fetch in the query. Only read_archived_resource reads the archive.
#pragma once

#include "enfold/gateway/lists/local_tools.h"
#include "enfold/mcp/types/result.h"
#include "enfold/tools/fetch_tool.h"

namespace enfold::gateway {

inline constexpr std::string_view kArchivePlace = "enfold://archive/";
inline constexpr std::string_view kArchiveTemplate =
    "enfold://archive/{handle}{?pointer,id,range,lines,chars,find,where,stat,raw,page_size,cursor}";

[[nodiscard]] inline bool is_archived(std::string_view uri) {
  return uri.starts_with(kArchivePlace);
}

/// The template as resources/templates/list shows it.
[[nodiscard]] json::Value archive_template();

/// A link to an archived answer, as a content block.
[[nodiscard]] json::Value archive_link(std::string_view handle, std::string_view tool);

/// The arguments of enfold_fetch in a URI; nullopt: not a valid URI of an archived answer.
[[nodiscard]] std::optional<json::Value> fetch_arguments(std::string_view uri);

/// The result of resources/read: one content within the budget, with the URI of the next page in
/// its `_meta`; a JSON-RPC error if the answer is not in the archive.
[[nodiscard]] mcp::Reply read_archived_resource(const std::string& uri, mcp::Era era,
                                                const tools::FetchSource& source,
                                                const answer::FitSettings& settings);

/// Replies to a resources/read of an archived answer when the archive has returned it.
void answer_archive_read(const Environment& environment, const LocalTools& local,
                         const mcp::Call& call,
                         const std::shared_ptr<serve::ClientChannel>& channel);

}  // namespace enfold::gateway
