// SPDX-License-Identifier: Apache-2.0
// Offers archived answers as resources: enfold://archive/HANDLE, with the arguments of enfold_fetch
// in the query of the URI.
#pragma once

#include "enfold/gateway/lists/local_tools.h"
#include "enfold/mcp/types/result.h"
#include "enfold/tools/fetch_tool.h"

namespace enfold::gateway {

inline constexpr std::string_view kArchiveUriPrefix = "enfold://archive/";
inline constexpr std::string_view kArchiveTemplate =
    "enfold://archive/{handle}{?pointer,id,range,lines,chars,find,where,stat,raw,page_size,cursor}";

[[nodiscard]] inline bool is_archive_uri(std::string_view uri) {
  return uri.starts_with(kArchiveUriPrefix);
}

/// The resource template for resources/templates/list.
[[nodiscard]] json::Value archive_template();

/// A content block of type resource_link to an archived answer of `tool`.
[[nodiscard]] json::Value archive_link(std::string_view handle, std::string_view tool);

/// Reads the arguments of enfold_fetch from a URI; nullopt: not a valid URI of an archived answer.
[[nodiscard]] std::optional<json::Value> fetch_arguments(std::string_view uri);

/// The result of resources/read: one content within the budget, with the URI of the next page in
/// its `_meta`; a JSON-RPC error if the answer is not in the archive or the query is not valid.
[[nodiscard]] mcp::Reply read_archived_resource(const std::string& uri, mcp::Era era,
                                                const tools::FetchSource& source,
                                                const answer::FitSettings& settings);

/// Reads the archived answer on a worker and replies to the client's resources/read. Requires
/// `local.offers_archive(call, *channel)`.
void answer_archive_read(const Environment& environment, const LocalTools& local,
                         const mcp::Call& call,
                         const std::shared_ptr<serve::ClientChannel>& channel);

}  // namespace enfold::gateway
