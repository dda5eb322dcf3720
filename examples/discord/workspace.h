// SPDX-License-Identifier: Apache-2.0
// A small simulated chat: guilds, channels, users, messages. Read from a JSON file, changed in
// memory. Its clock stands still until something is done and then goes on by a second, so the same
// calls always give the same answers.
#pragma once

#include "enfold/server/run.h"

#include <cstdint>
#include <filesystem>
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

struct WorkspaceFile {
  std::int64_t now = 0;
  std::string self;  ///< id of the user on whose behalf everything is done
  std::vector<User> users;
  std::vector<Guild> guilds;
  std::vector<Channel> channels;
  std::vector<Message> messages;
  Filters filters;
  static constexpr auto arguments() {
    using File = WorkspaceFile;
    return server::arguments(
        server::argument("now", &File::now).describe("Milliseconds since 1970"),
        server::argument("self", &File::self), server::argument("users", &File::users).at_least(1),
        server::argument("guilds", &File::guilds), server::argument("channels", &File::channels),
        server::argument("messages", &File::messages), server::argument("filters", &File::filters));
  }
};

class Workspace {
 public:
  /// Fails for a file that cannot be read, is not as declared, or names what is not in it.
  [[nodiscard]] static enfold::Result<Workspace> load(const std::filesystem::path& file);

  [[nodiscard]] const WorkspaceFile& all() const { return file_; }
  [[nodiscard]] const User& self() const { return *user(file_.self); }
  // nullptr: there is none.
  [[nodiscard]] const User* user(const std::string& id) const;
  [[nodiscard]] const Guild* guild(const std::string& id) const;
  [[nodiscard]] const Channel* channel(const std::string& id) const;
  [[nodiscard]] Message* message(const Channel& channel, const std::string& id);

  /// What a filter says by id or pattern; nullopt when only the default is left.
  [[nodiscard]] std::optional<FilterAction> decided(const Channel& channel) const;
  [[nodiscard]] bool is_shown(const Channel& channel) const;
  Filters& filters() { return file_.filters; }

  /// The moment at which something is done; each is a second after the one before.
  [[nodiscard]] std::int64_t next_moment();
  /// Gets its id, which tells its time, as ids of this kind do.
  const Message& add(Message message);
  void remove(const Message& message);

 private:
  explicit Workspace(WorkspaceFile file) : file_(std::move(file)) {}
  WorkspaceFile file_;
};

/// Ids are numbers in text: the longer is the larger.
[[nodiscard]] bool id_less(std::string_view a, std::string_view b);

/// 2026-01-05T09:00:00.000Z
[[nodiscard]] std::string iso_time(std::int64_t milliseconds);

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
