// SPDX-License-Identifier: Apache-2.0
// The tools, by what they are about.
#pragma once

#include "enfold/server/server.h"
#include "workspace.h"

#include <memory>
#include <tl/expected.hpp>

namespace discord {

using Shared = std::shared_ptr<Workspace>;

void add_list_tools(enfold::server::Server& server, const Shared& workspace);
void add_filter_tools(enfold::server::Server& server, const Shared& workspace);
void add_message_tools(enfold::server::Server& server, const Shared& workspace);
/// Files are written below `folder`, one folder for each message.
void add_download_tool(enfold::server::Server& server, const Shared& workspace,
                       std::filesystem::path folder);
/// Comes last: it lists what was added before, and itself.
void add_catalog_tool(enfold::server::Server& server);

/// A value, or the failure that the caller is told.
template <class T>
using Or = tl::expected<T, enfold::model::Response>;

/// "Failed to DO: CAUSE".
[[nodiscard]] enfold::model::Response failed_to(std::string_view action, std::string_view code,
                                                const std::string& cause);

enum class Right { read, write };
/// A text channel in which this right is given.
[[nodiscard]] Or<const Channel*> find_channel(const Workspace& workspace, const std::string& id,
                                              Right right, std::string_view action);
[[nodiscard]] Or<Message*> find_message(Workspace& workspace, const Channel& channel,
                                        const std::string& id, std::string_view action);

}  // namespace discord
