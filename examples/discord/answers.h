// SPDX-License-Identifier: Apache-2.0
// The answers of the tools, in the shapes that clients of such servers know: no envelope, counters
// and lists at the root. There are no levels: whatever is declared is always shown.
#pragma once

#include "enfold/level/fields.h"
#include "workspace.h"

#include <map>

namespace discord {

namespace level = enfold::level;

/// Always there; an empty optional is null.
template <class Struct, class Got>
constexpr auto shown(std::string_view name, Got Struct::* member) {
  return level::field(name, member, level::Level::minimal).required();
}
/// There when it holds something.
template <class Struct, class Got>
constexpr auto if_any(std::string_view name, std::optional<Got> Struct::* member) {
  return level::field(name, member, level::Level::minimal);
}

struct GuildLine {
  std::string id;
  std::string name;
  std::size_t memberCount = 0;
  bool owner = false;
  std::optional<std::string> icon;
  static constexpr auto fields() {
    return level::fields(shown("id", &GuildLine::id), shown("name", &GuildLine::name),
                         shown("memberCount", &GuildLine::memberCount),
                         shown("owner", &GuildLine::owner), shown("icon", &GuildLine::icon));
  }
};

struct GuildList {
  std::size_t totalGuilds = 0;
  std::vector<GuildLine> guilds;
  static constexpr auto fields() {
    return level::fields(shown("totalGuilds", &GuildList::totalGuilds),
                         shown("guilds", &GuildList::guilds));
  }
};

struct ChannelLine {
  std::string id;
  std::string name;
  ChannelType type = ChannelType::GUILD_TEXT;
  std::string guildId;
  std::string guildName;
  std::int64_t position = 0;
  bool canRead = true;
  static constexpr auto fields() {
    return level::fields(shown("id", &ChannelLine::id), shown("name", &ChannelLine::name),
                         shown("type", &ChannelLine::type), shown("guildId", &ChannelLine::guildId),
                         shown("guildName", &ChannelLine::guildName),
                         shown("position", &ChannelLine::position),
                         shown("canRead", &ChannelLine::canRead));
  }
};

struct ChannelList {
  std::size_t totalChannels = 0;
  std::size_t showing = 0;
  std::size_t offset = 0;
  std::size_t limit = 0;
  bool hasMore = false;
  std::optional<std::string> guildFilter;
  bool applyFilters = true;
  bool checkPermissions = false;
  std::vector<ChannelLine> channels;
  static constexpr auto fields() {
    using List = ChannelList;
    return level::fields(
        shown("totalChannels", &List::totalChannels), shown("showing", &List::showing),
        shown("offset", &List::offset), shown("limit", &List::limit),
        shown("hasMore", &List::hasMore), shown("guildFilter", &List::guildFilter),
        shown("applyFilters", &List::applyFilters),
        shown("checkPermissions", &List::checkPermissions), shown("channels", &List::channels));
  }
};

struct PendingLine {
  std::string id;
  std::string name;
  std::string guildId;
  std::string requestedAt;
  static constexpr auto fields() {
    return level::fields(shown("id", &PendingLine::id), shown("name", &PendingLine::name),
                         shown("guildId", &PendingLine::guildId),
                         shown("requestedAt", &PendingLine::requestedAt));
  }
};

struct PendingList {
  std::size_t totalPending = 0;
  std::size_t showing = 0;
  std::size_t offset = 0;
  std::size_t limit = 0;
  bool hasMore = false;
  std::optional<std::string> guildFilter;
  std::vector<PendingLine> channels;
  static constexpr auto fields() {
    using List = PendingList;
    return level::fields(shown("totalPending", &List::totalPending),
                         shown("showing", &List::showing), shown("offset", &List::offset),
                         shown("limit", &List::limit), shown("hasMore", &List::hasMore),
                         shown("guildFilter", &List::guildFilter),
                         shown("channels", &List::channels));
  }
};

/// An id and a name: a guild, a role.
struct Named {
  std::string id;
  std::string name;
  static constexpr auto fields() {
    return level::fields(shown("id", &Named::id), shown("name", &Named::name));
  }
};

struct MemberLine {
  std::string id;
  std::string username;
  std::optional<std::string> displayName;
  bool bot = false;
  std::string joinedAt;
  std::optional<std::vector<Named>> roles;
  static constexpr auto fields() {
    return level::fields(shown("id", &MemberLine::id), shown("username", &MemberLine::username),
                         shown("displayName", &MemberLine::displayName),
                         shown("bot", &MemberLine::bot), shown("joinedAt", &MemberLine::joinedAt),
                         if_any("roles", &MemberLine::roles));
  }
};

struct MemberList {
  Named guild;
  std::size_t totalMembers = 0;
  bool includeRoles = false;
  std::vector<MemberLine> members;
  static constexpr auto fields() {
    return level::fields(
        shown("guild", &MemberList::guild), shown("totalMembers", &MemberList::totalMembers),
        shown("includeRoles", &MemberList::includeRoles), shown("members", &MemberList::members));
  }
};

struct PatternLine {
  std::string match;
  FilterAction action = FilterAction::exclude;
  static constexpr auto fields() {
    return level::fields(shown("match", &PatternLine::match),
                         shown("action", &PatternLine::action));
  }
};

struct FilterLists {
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<PatternLine> patterns;
  static constexpr auto fields() {
    return level::fields(shown("include", &FilterLists::include),
                         shown("exclude", &FilterLists::exclude),
                         shown("patterns", &FilterLists::patterns));
  }
};

struct FilterConfiguration {
  std::int64_t version = 1;
  FilterAction defaultAction = FilterAction::include;
  FilterLists filters;
  std::string updatedAt;
  static constexpr auto fields() {
    using This = FilterConfiguration;
    return level::fields(shown("version", &This::version),
                         shown("defaultAction", &This::defaultAction),
                         shown("filters", &This::filters), shown("updatedAt", &This::updatedAt));
  }
};

struct FiltersUpdated {
  bool success = true;
  std::string message;
  std::string updatedAt;
  std::vector<std::string> added;
  std::vector<std::string> removed;
  static constexpr auto fields() {
    using This = FiltersUpdated;
    return level::fields(shown("success", &This::success), shown("message", &This::message),
                         shown("updatedAt", &This::updatedAt), shown("added", &This::added),
                         shown("removed", &This::removed));
  }
};

struct UserLine {
  std::string id;
  std::string username;
  std::string discriminator;
  std::optional<std::string> avatar;
  bool bot = false;
  std::string createdAt;
  static constexpr auto fields() {
    return level::fields(shown("id", &UserLine::id), shown("username", &UserLine::username),
                         shown("discriminator", &UserLine::discriminator),
                         shown("avatar", &UserLine::avatar), shown("bot", &UserLine::bot),
                         shown("createdAt", &UserLine::createdAt));
  }
};

/// `status` is whether somebody is there, not how an operation went.
struct UserInfo {
  UserLine user;
  Presence status = Presence::offline;
  std::size_t guildCount = 0;
  std::size_t channelCount = 0;
  static constexpr auto fields() {
    return level::fields(shown("user", &UserInfo::user), shown("status", &UserInfo::status),
                         shown("guildCount", &UserInfo::guildCount),
                         shown("channelCount", &UserInfo::channelCount));
  }
};

struct ToolLine {
  std::string name;
  std::string description;
  std::map<std::string, enfold::json::Value> inputSchema;
  static constexpr auto fields() {
    return level::fields(shown("name", &ToolLine::name),
                         shown("description", &ToolLine::description),
                         shown("inputSchema", &ToolLine::inputSchema));
  }
};

struct ToolCatalog {
  std::vector<ToolLine> tools;
  static constexpr auto fields() { return level::fields(shown("tools", &ToolCatalog::tools)); }
};

}  // namespace discord
