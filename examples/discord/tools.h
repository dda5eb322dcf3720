// SPDX-License-Identifier: Apache-2.0
// The tools, by what they are about.
#pragma once

#include "enfold/server/server.h"
#include "workspace.h"

#include <filesystem>
#include <memory>
#include <tl/expected.hpp>

namespace discord {

using Shared = std::shared_ptr<Workspace>;
using enfold::server::Answer;

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

/// What can go wrong: a name for programs, its kind, and what the caller can do about it.
struct Code {
  std::string_view name;
  enfold::model::ErrorType type;
  std::string_view remedy;
};

namespace codes {

using enum enfold::model::ErrorType;

inline constexpr Code kUnknownChannel{"UNKNOWN_CHANNEL", not_found,
                                      "discord_list_channels lists the channels."};
inline constexpr Code kUnknownGuild{"UNKNOWN_GUILD", not_found,
                                    "discord_list_guilds lists the guilds."};
inline constexpr Code kUnknownUser{"UNKNOWN_USER", not_found,
                                   "discord_list_guild_members lists the users of a guild."};
inline constexpr Code kUnknownMessage{"UNKNOWN_MESSAGE", not_found,
                                      "discord_read_channel lists the messages of a channel."};
inline constexpr Code kNoAttachments{"ATTACHMENTS_NOT_FOUND", not_found,
                                     "discord_read_channel shows which messages have some."};
inline constexpr Code kMissingPermissions{"MISSING_PERMISSIONS", authorization,
                                          "Ask an owner of the guild, or use another channel."};
inline constexpr Code kInvalidChannelType{"INVALID_CHANNEL_TYPE", validation,
                                          "Use a channel of type GUILD_TEXT."};
inline constexpr Code kInvalidFormBody{"INVALID_FORM_BODY", validation,
                                       "Correct the arguments and call the tool again."};
inline constexpr Code kDownloadFailed{"DOWNLOAD_UNAVAILABLE", unavailable,
                                      "The details say why each file could not be saved."};
inline constexpr Code kStorageFull{"STORAGE_FULL", unavailable, "Delete messages."};
inline constexpr Code kStorageUnavailable{"STORAGE_UNAVAILABLE", unavailable,
                                          "Ask the operator to look at the state file."};

}  // namespace codes

/// "Failed to DO: CAUSE".
[[nodiscard]] enfold::model::Response failed_to(
    std::string_view action, const Code& code, const std::string& cause,
    std::optional<enfold::json::Value> details = std::nullopt);
/// The state file could not be read or written; its place is for the log, not for the caller.
[[nodiscard]] enfold::model::Response failed_to(std::string_view action,
                                                const enfold::Error& storage);

/// The handler of a tool that looks at the workspace, as the last change by any process left it.
template <class Request, class Response>
auto reads(const Shared& workspace, std::string_view action,
           Answer<Response> (*handler)(const Workspace&, const Request&)) {
  return [workspace, action, handler](const Request& asked) -> Answer<Response> {
    if (auto fresh = workspace->refresh(); !fresh) return failed_to(action, fresh.error());
    return handler(*workspace, asked);
  };
}

/// The handler of a tool that changes the workspace: before the caller hears of a success, it is on
/// disk.
template <class Request, class Response>
auto changes(const Shared& workspace, std::string_view action,
             Answer<Response> (*handler)(Workspace&, const Request&)) {
  return [workspace, action, handler](const Request& asked) -> Answer<Response> {
    auto change = Change::begin(*workspace);
    if (!change) return failed_to(action, change.error());
    Answer<Response> answer = handler(*workspace, asked);
    if (answer.response() == nullptr) return answer;
    if (auto saved = change->commit(); !saved) return failed_to(action, saved.error());
    return answer;
  };
}

enum class Right { read, write };
/// A text channel in which this right is given.
[[nodiscard]] Or<const Channel*> find_channel(const Workspace& workspace, const std::string& id,
                                              Right right, std::string_view action);
[[nodiscard]] Or<Message*> find_message(Workspace& workspace, const Channel& channel,
                                        const std::string& id, std::string_view action);

}  // namespace discord
