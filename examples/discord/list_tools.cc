// SPDX-License-Identifier: Apache-2.0
// Guilds, channels, members and users: what there is.
#include "answers.h"
#include "tools.h"

#include <algorithm>
#include <fmt/core.h>

namespace discord {
namespace {

using namespace enfold;

struct ChannelsAsked {
  std::optional<std::string> guildId;
  std::size_t offset = 0;
  std::size_t limit = 50;
  bool applyFilters = true;
  bool checkPermissions = false;
  static constexpr auto arguments() {
    using This = ChannelsAsked;
    return server::arguments(
        server::argument("guildId", &This::guildId).describe("Only channels of this guild"),
        server::argument("offset", &This::offset).defaulted(),
        server::argument("limit", &This::limit).at_least(1).at_most(500).defaulted(),
        server::argument("applyFilters", &This::applyFilters)
            .describe("Leave out what the channel filters exclude")
            .defaulted(),
        server::argument("checkPermissions", &This::checkPermissions)
            .describe("Leave out what may not be read")
            .defaulted());
  }
};

struct PendingAsked {
  std::optional<std::string> guildId;
  std::size_t offset = 0;
  std::size_t limit = 50;
  static constexpr auto arguments() {
    using This = PendingAsked;
    return server::arguments(
        server::argument("guildId", &This::guildId).describe("Only channels of this guild"),
        server::argument("offset", &This::offset).defaulted(),
        server::argument("limit", &This::limit).at_least(1).at_most(500).defaulted());
  }
};

struct MembersAsked {
  std::string guildId;
  std::size_t limit = 100;
  bool includeRoles = false;
  static constexpr auto arguments() {
    using This = MembersAsked;
    return server::arguments(
        server::argument("guildId", &This::guildId),
        server::argument("limit", &This::limit).at_least(1).at_most(1000).defaulted(),
        server::argument("includeRoles", &This::includeRoles).defaulted());
  }
};

struct UserAsked {
  std::optional<std::string> userId;
  static constexpr auto arguments() {
    return server::arguments(
        server::argument("userId", &UserAsked::userId).describe("Without it: yourself"));
  }
};

bool is_member(const Guild& guild, const std::string& user) {
  return std::any_of(guild.members.begin(), guild.members.end(),
                     [&](const Member& member) { return member.userId == user; });
}

Answer<GuildList> list_guilds(const Workspace& workspace, const server::NoArguments&) {
  GuildList list;
  for (const Guild& guild : workspace.all().guilds) {
    list.guilds.push_back({guild.id, guild.name, guild.members.size(),
                           guild.ownerId == workspace.all().self, guild.icon});
  }
  list.totalGuilds = list.guilds.size();
  return list;
}

Or<void> check_guild(const Workspace& workspace, const std::optional<std::string>& id,
                     std::string_view action) {
  if (!id || workspace.guild(*id) != nullptr) return {};
  return tl::unexpected(
      failed_to(action, codes::kUnknownGuild, fmt::format("unknown guild {}", *id)));
}

/// The part of a list that was asked for.
template <class Item>
std::vector<Item> page(const std::vector<Item>& all, std::size_t offset, std::size_t limit) {
  const std::size_t begin = std::min(offset, all.size());
  const std::size_t end = begin + std::min(limit, all.size() - begin);
  const auto at = [&](std::size_t index) {
    return all.begin() + static_cast<std::ptrdiff_t>(index);
  };
  return {at(begin), at(end)};
}

Answer<ChannelList> list_channels(const Workspace& workspace, const ChannelsAsked& asked) {
  if (auto good = check_guild(workspace, asked.guildId, "list channels"); !good) {
    return good.error();
  }
  std::vector<ChannelLine> all;
  for (const Channel& channel : workspace.all().channels) {
    if (asked.guildId && channel.guildId != *asked.guildId) continue;
    if (asked.applyFilters && !workspace.is_shown(channel)) continue;
    if (asked.checkPermissions && !channel.canRead) continue;
    all.push_back({channel.id, channel.name, channel.type, channel.guildId,
                   workspace.guild(channel.guildId)->name, channel.position, channel.canRead});
  }
  ChannelList list;
  list.totalChannels = all.size();
  list.channels = page(all, asked.offset, asked.limit);
  list.showing = list.channels.size();
  list.offset = asked.offset;
  list.limit = asked.limit;
  list.hasMore = asked.offset + list.showing < all.size();
  list.guildFilter = asked.guildId;
  list.applyFilters = asked.applyFilters;
  list.checkPermissions = asked.checkPermissions;
  return list;
}

// Pending are the channels about which no filter has decided yet.
Answer<PendingList> list_pending(const Workspace& workspace, const PendingAsked& asked) {
  if (auto good = check_guild(workspace, asked.guildId, "get pending channels"); !good) {
    return good.error();
  }
  std::vector<PendingLine> all;
  for (const Channel& channel : workspace.all().channels) {
    if (asked.guildId && channel.guildId != *asked.guildId) continue;
    if (workspace.decided(channel)) continue;
    all.push_back({channel.id, channel.name, channel.guildId, channel.createdAt});
  }
  PendingList list;
  list.totalPending = all.size();
  list.channels = page(all, asked.offset, asked.limit);
  list.showing = list.channels.size();
  list.offset = asked.offset;
  list.limit = asked.limit;
  list.hasMore = asked.offset + list.showing < all.size();
  list.guildFilter = asked.guildId;
  return list;
}

std::vector<Named> roles_of(const Guild& guild, const Member& member) {
  std::vector<Named> roles;
  for (const Role& role : guild.roles) {
    const bool has =
        std::find(member.roles.begin(), member.roles.end(), role.id) != member.roles.end();
    if (has) roles.push_back({role.id, role.name});
  }
  return roles;
}

Answer<MemberList> list_members(const Workspace& workspace, const MembersAsked& asked) {
  if (auto good = check_guild(workspace, asked.guildId, "list guild members"); !good) {
    return good.error();
  }
  const Guild& guild = *workspace.guild(asked.guildId);
  MemberList list{{guild.id, guild.name}, guild.members.size(), asked.includeRoles, {}};
  for (const Member& member : page(guild.members, 0, asked.limit)) {
    const User& user = *workspace.user(member.userId);
    MemberLine line{user.id, user.username, member.nickname, user.bot, member.joinedAt, {}};
    if (asked.includeRoles) line.roles = roles_of(guild, member);
    list.members.push_back(std::move(line));
  }
  return list;
}

Answer<UserInfo> user_info(const Workspace& workspace, const UserAsked& asked) {
  const std::string id = asked.userId.value_or(workspace.all().self);
  const User* user = workspace.user(id);
  if (user == nullptr) {
    return failed_to("get user info", codes::kUnknownUser, fmt::format("unknown user {}", id));
  }
  UserInfo info;
  info.user = {user->id,     user->username, user->discriminator,
               user->avatar, user->bot,      user->createdAt};
  info.status = user->status;
  for (const Guild& guild : workspace.all().guilds) {
    if (is_member(guild, id)) ++info.guildCount;
  }
  for (const Channel& channel : workspace.all().channels) {
    if (is_member(*workspace.guild(channel.guildId), id)) ++info.channelCount;
  }
  return info;
}

}  // namespace

void add_list_tools(server::Server& server, const Shared& workspace) {
  server
      .tool("discord_list_guilds", "Lists the guilds that you are in",
            reads(workspace, "list guilds", list_guilds))
      .read_only();
  server
      .tool("discord_list_channels", "Lists channels, in pages",
            reads(workspace, "list channels", list_channels))
      .read_only();
  server
      .tool("discord_get_pending_guild_channels",
            "Lists the channels about which no filter has decided yet, in pages",
            reads(workspace, "get pending channels", list_pending))
      .read_only();
  server
      .tool("discord_list_guild_members", "Lists the members of a guild",
            reads(workspace, "list guild members", list_members))
      .read_only();
  server
      .tool("discord_get_user_info", "Tells about a user: name, presence, guilds",
            reads(workspace, "get user info", user_info))
      .read_only();
}

}  // namespace discord
