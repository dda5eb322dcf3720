// SPDX-License-Identifier: Apache-2.0
// The records of a small simulated chat, as the file of a workspace and the file of its state hold
// them.
#pragma once

#include "enfold/server/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace discord {

namespace server = enfold::server;

enum class ChannelType { GUILD_TEXT, GUILD_VOICE, GUILD_ANNOUNCEMENT };
enum class Presence { online, idle, dnd, offline };
enum class FilterAction { include, exclude };

struct User {
  std::string id;
  std::string username;
  std::string discriminator = "0";
  std::optional<std::string> avatar;
  bool bot = false;
  std::string createdAt;
  Presence status = Presence::offline;
  static constexpr auto arguments() {
    return server::arguments(
        server::argument("id", &User::id), server::argument("username", &User::username),
        server::argument("discriminator", &User::discriminator).defaulted(),
        server::argument("avatar", &User::avatar), server::argument("bot", &User::bot).defaulted(),
        server::argument("createdAt", &User::createdAt),
        server::argument("status", &User::status).defaulted());
  }
};

struct Role {
  std::string id;
  std::string name;
  static constexpr auto arguments() {
    return server::arguments(server::argument("id", &Role::id),
                             server::argument("name", &Role::name));
  }
};

struct Member {
  std::string userId;
  std::optional<std::string> nickname;
  std::string joinedAt;
  std::vector<std::string> roles;  ///< ids
  static constexpr auto arguments() {
    return server::arguments(server::argument("userId", &Member::userId),
                             server::argument("nickname", &Member::nickname),
                             server::argument("joinedAt", &Member::joinedAt),
                             server::argument("roles", &Member::roles).defaulted());
  }
};

struct Guild {
  std::string id;
  std::string name;
  std::string ownerId;
  std::optional<std::string> icon;
  std::vector<Role> roles;
  std::vector<Member> members;
  static constexpr auto arguments() {
    return server::arguments(
        server::argument("id", &Guild::id), server::argument("name", &Guild::name),
        server::argument("ownerId", &Guild::ownerId), server::argument("icon", &Guild::icon),
        server::argument("roles", &Guild::roles).defaulted(),
        server::argument("members", &Guild::members));
  }
};

struct Channel {
  std::string id;
  std::string guildId;
  std::string name;
  ChannelType type = ChannelType::GUILD_TEXT;
  std::int64_t position = 0;
  std::string createdAt;
  bool canRead = true;
  bool canWrite = true;
  bool canManage = false;  ///< may delete what others wrote
  static constexpr auto arguments() {
    return server::arguments(server::argument("id", &Channel::id),
                             server::argument("guildId", &Channel::guildId),
                             server::argument("name", &Channel::name),
                             server::argument("type", &Channel::type).defaulted(),
                             server::argument("position", &Channel::position).defaulted(),
                             server::argument("createdAt", &Channel::createdAt),
                             server::argument("canRead", &Channel::canRead).defaulted(),
                             server::argument("canWrite", &Channel::canWrite).defaulted(),
                             server::argument("canManage", &Channel::canManage).defaulted());
  }
};

struct Attachment {
  std::string id;
  std::string filename;
  std::optional<std::string> content;  ///< nothing: the file is gone, only its name is left
  static constexpr auto arguments() {
    return server::arguments(server::argument("id", &Attachment::id),
                             server::argument("filename", &Attachment::filename),
                             server::argument("content", &Attachment::content));
  }
};

struct Message {
  std::string id;
  std::string channelId;
  std::string authorId;
  std::string content;
  std::int64_t timestamp = 0;  ///< milliseconds since 1970
  std::optional<std::int64_t> editedTimestamp;
  std::optional<std::string> replyTo;
  std::vector<Attachment> attachments;
  static constexpr auto arguments() {
    return server::arguments(server::argument("id", &Message::id),
                             server::argument("channelId", &Message::channelId),
                             server::argument("authorId", &Message::authorId),
                             server::argument("content", &Message::content),
                             server::argument("timestamp", &Message::timestamp),
                             server::argument("editedTimestamp", &Message::editedTimestamp),
                             server::argument("replyTo", &Message::replyTo),
                             server::argument("attachments", &Message::attachments).defaulted());
  }
};

struct FilterPattern {
  std::string match;  ///< a name, with * for anything
  FilterAction action = FilterAction::exclude;
  static constexpr auto arguments() {
    return server::arguments(server::argument("match", &FilterPattern::match),
                             server::argument("action", &FilterPattern::action));
  }
};

/// Which channels a list shows. An id beats a pattern, a pattern the default.
struct Filters {
  std::int64_t version = 1;
  FilterAction defaultAction = FilterAction::include;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<FilterPattern> patterns;
  std::string updatedAt;
  static constexpr auto arguments() {
    return server::arguments(server::argument("version", &Filters::version).defaulted(),
                             server::argument("defaultAction", &Filters::defaultAction).defaulted(),
                             server::argument("include", &Filters::include).defaulted(),
                             server::argument("exclude", &Filters::exclude).defaulted(),
                             server::argument("patterns", &Filters::patterns).defaulted(),
                             server::argument("updatedAt", &Filters::updatedAt));
  }
};

/// What the tools change.
struct State {
  std::int64_t now = 0;  ///< of the last change, milliseconds since 1970
  std::vector<Message> messages;
  Filters filters;
  static constexpr auto arguments() {
    return server::arguments(server::argument("now", &State::now),
                             server::argument("messages", &State::messages),
                             server::argument("filters", &State::filters));
  }
};

/// What an operator writes.
struct WorkspaceFile {
  std::string self;  ///< id of the user on whose behalf everything is done
  std::vector<User> users;
  std::vector<Guild> guilds;
  std::vector<Channel> channels;
  State state;  ///< that a new state file begins with
  static constexpr auto arguments() {
    using File = WorkspaceFile;
    return server::arguments(
        server::argument("self", &File::self), server::argument("users", &File::users).at_least(1),
        server::argument("guilds", &File::guilds), server::argument("channels", &File::channels),
        server::argument("state", &File::state));
  }
};

}  // namespace discord

template <>
struct enfold::model::Names<discord::ChannelType> {
  static constexpr std::array<std::string_view, 3> values{"GUILD_TEXT", "GUILD_VOICE",
                                                          "GUILD_ANNOUNCEMENT"};
};
template <>
struct enfold::model::Names<discord::Presence> {
  static constexpr std::array<std::string_view, 4> values{"online", "idle", "dnd", "offline"};
};
template <>
struct enfold::model::Names<discord::FilterAction> {
  static constexpr std::array<std::string_view, 2> values{"include", "exclude"};
};
