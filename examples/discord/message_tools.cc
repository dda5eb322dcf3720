// SPDX-License-Identifier: Apache-2.0
// Reading and writing messages.
#include "message_answers.h"
#include "tools.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace discord {
namespace {

using namespace enfold;

constexpr double kLongestMessage = 2000;
constexpr double kLongestFile = 100'000;

struct ReadAsked {
  std::optional<std::string> channelId;
  std::optional<std::string> channelName;
  std::size_t limit = 50;
  std::optional<std::string> before;
  std::optional<std::string> after;
  static constexpr auto arguments() {
    using This = ReadAsked;
    return server::arguments(
        server::argument("channelId", &This::channelId),
        server::argument("channelName", &This::channelName).describe("Instead of the id"),
        server::argument("limit", &This::limit).at_least(1).at_most(100).defaulted(),
        server::argument("before", &This::before)
            .describe("Id of a message: only what is older")
            .pattern("^[0-9]+$"),
        server::argument("after", &This::after)
            .describe("Id of a message: only what is newer")
            .pattern("^[0-9]+$"));
  }
};

struct FileToSend {
  std::string filename;
  std::string content;
  static constexpr auto arguments() {
    return server::arguments(
        server::argument("filename", &FileToSend::filename).at_least(1).at_most(100),
        server::argument("content", &FileToSend::content)
            .describe("The text of the file")
            .at_most(kLongestFile));
  }
};

struct SendAsked {
  std::string channelId;
  std::string content;
  std::vector<FileToSend> attachments;
  static constexpr auto arguments() {
    using This = SendAsked;
    return server::arguments(
        server::argument("channelId", &This::channelId),
        server::argument("content", &This::content).at_least(1).at_most(kLongestMessage),
        server::argument("attachments", &This::attachments).at_most(10).defaulted());
  }
};

/// For edit and reply.
struct WriteAsked {
  std::string channelId;
  std::string messageId;
  std::string content;
  static constexpr auto arguments() {
    using This = WriteAsked;
    return server::arguments(
        server::argument("channelId", &This::channelId),
        server::argument("messageId", &This::messageId),
        server::argument("content", &This::content).at_least(1).at_most(kLongestMessage));
  }
};

struct DeleteAsked {
  std::string channelId;
  std::string messageId;
  static constexpr auto arguments() {
    return server::arguments(server::argument("channelId", &DeleteAsked::channelId),
                             server::argument("messageId", &DeleteAsked::messageId));
  }
};

std::vector<AttachmentLine> attachment_lines(const Message& message) {
  std::vector<AttachmentLine> lines;
  for (const Attachment& attachment : message.attachments) {
    AttachmentLine line{attachment.id, attachment.filename, {}};
    if (attachment.content) line.size = attachment.content->size();
    lines.push_back(std::move(line));
  }
  return lines;
}

MessageLine message_line(const Workspace& workspace, const Message& message) {
  return {.id = message.id,
          .content = message.content,
          .author = {message.authorId, workspace.user(message.authorId)->username},
          .timestamp = message.timestamp,
          .editedTimestamp = message.editedTimestamp,
          .replyTo = message.replyTo,
          .attachments = attachment_lines(message)};
}

Or<const Channel*> asked_channel(const Workspace& workspace, const ReadAsked& asked) {
  constexpr std::string_view kAction = "read channel";
  if (asked.channelId.has_value() == asked.channelName.has_value()) {
    return tl::unexpected(
        failed_to(kAction, codes::kInvalidFormBody, "expected either channelId or channelName"));
  }
  if (asked.channelId) return find_channel(workspace, *asked.channelId, Right::read, kAction);
  std::vector<std::string> ids;
  for (const Channel& channel : workspace.all().channels) {
    if (channel.name == *asked.channelName) ids.push_back(channel.id);
  }
  if (ids.size() == 1) return find_channel(workspace, ids.front(), Right::read, kAction);
  return tl::unexpected(
      ids.empty() ? failed_to(kAction, codes::kUnknownChannel,
                              fmt::format("unknown channel #{}", *asked.channelName))
                  : failed_to(kAction, codes::kInvalidFormBody,
                              fmt::format("{} channels are named #{}: {}; give the channelId",
                                          ids.size(), *asked.channelName, fmt::join(ids, ", "))));
}

// The newest first. With `after` the page holds the oldest of what is newer: the next ones.
Answer<MessageList> read_channel(const Workspace& workspace, const ReadAsked& asked) {
  const Or<const Channel*> found = asked_channel(workspace, asked);
  if (!found) return found.error();
  if (asked.before && asked.after) {
    return failed_to("read channel", codes::kInvalidFormBody,
                     "expected before or after, found both");
  }
  const Channel& channel = **found;
  std::vector<const Message*> all;
  for (const Message& message : workspace.all().state.messages) {
    if (message.channelId != channel.id) continue;
    if (asked.before && !id_less(message.id, *asked.before)) continue;
    if (asked.after && !id_less(*asked.after, message.id)) continue;
    all.push_back(&message);
  }
  std::sort(all.begin(), all.end(),
            [](const Message* a, const Message* b) { return id_less(b->id, a->id); });
  const std::size_t count = std::min(asked.limit, all.size());
  const std::size_t begin = asked.after ? all.size() - count : 0;
  MessageList list{.channel = {channel.id, channel.name, channel.guildId},
                   .resolvedFrom = asked.channelId ? "channelId" : "channelName"};
  for (std::size_t i = begin; i < begin + count; ++i) {
    list.messages.push_back(message_line(workspace, *all[i]));
  }
  MessagePage& page = list.pagination;
  page.filterType = asked.before ? "before" : asked.after ? "after" : "none";
  page.limit = asked.limit;
  page.count = count;
  page.hasMore = all.size() > count;
  if (count > 0) page.oldestMessageId = list.messages.back().id;
  if (count > 0) page.newestMessageId = list.messages.front().id;
  return list;
}

// <@123> names a user; one that does not exist is worth a warning.
std::vector<WarningLine> unknown_mentions(const Workspace& workspace, std::string_view content) {
  std::vector<WarningLine> warnings;
  for (std::size_t at = content.find("<@"); at != std::string_view::npos;
       at = content.find("<@", at + 2)) {
    const std::size_t end = std::min(content.find('>', at), content.size());
    const std::string id(content.substr(at + 2, end - at - 2));
    const bool number = !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
    if (number && workspace.user(id) == nullptr) {
      warnings.push_back({"UNKNOWN_MENTION", fmt::format("there is no user {}", id)});
    }
  }
  return warnings;
}

MessageSent sent(const Workspace& workspace, const Message& message, std::int64_t moment) {
  MessageSent answer{.messageId = message.id,
                     .channelId = message.channelId,
                     .content = message.content,
                     .timestamp = moment,
                     .replyTo = message.replyTo,
                     .attachmentCount = message.attachments.size()};
  if (answer.attachmentCount > 0) answer.attachments = attachment_lines(message);
  std::vector<WarningLine> warnings = unknown_mentions(workspace, message.content);
  if (!warnings.empty()) {
    answer.warningCount = warnings.size();
    answer.warnings = std::move(warnings);
  }
  return answer;
}

Answer<MessageSent> send(Workspace& workspace, const SendAsked& asked) {
  const auto channel = find_channel(workspace, asked.channelId, Right::write, "send message");
  if (!channel) return channel.error();
  Message message{.channelId = (*channel)->id,
                  .authorId = workspace.all().self,
                  .content = asked.content,
                  .timestamp = workspace.next_moment()};
  for (const FileToSend& file : asked.attachments) {
    message.attachments.push_back(
        {std::to_string(message.attachments.size() + 1), file.filename, file.content});
  }
  const Message& added = workspace.add(std::move(message));
  return sent(workspace, added, added.timestamp);
}

Answer<MessageSent> reply(Workspace& workspace, const WriteAsked& asked) {
  constexpr std::string_view kAction = "reply to message";
  const auto channel = find_channel(workspace, asked.channelId, Right::write, kAction);
  if (!channel) return channel.error();
  const auto message = find_message(workspace, **channel, asked.messageId, kAction);
  if (!message) return message.error();
  const Message& added = workspace.add({.channelId = (*channel)->id,
                                        .authorId = workspace.all().self,
                                        .content = asked.content,
                                        .timestamp = workspace.next_moment(),
                                        .replyTo = asked.messageId});
  return sent(workspace, added, added.timestamp);
}

Answer<MessageSent> edit(Workspace& workspace, const WriteAsked& asked) {
  constexpr std::string_view kAction = "edit message";
  const auto channel = find_channel(workspace, asked.channelId, Right::write, kAction);
  if (!channel) return channel.error();
  const auto message = find_message(workspace, **channel, asked.messageId, kAction);
  if (!message) return message.error();
  if ((*message)->authorId != workspace.all().self) {
    return failed_to(kAction, codes::kMissingPermissions, "only its author may edit a message");
  }
  (*message)->content = asked.content;
  (*message)->editedTimestamp = workspace.next_moment();
  return sent(workspace, **message, *(*message)->editedTimestamp);
}

Answer<MessageDeleted> remove(Workspace& workspace, const DeleteAsked& asked) {
  constexpr std::string_view kAction = "delete message";
  const auto channel = find_channel(workspace, asked.channelId, Right::read, kAction);
  if (!channel) return channel.error();
  const auto message = find_message(workspace, **channel, asked.messageId, kAction);
  if (!message) return message.error();
  const bool own = (*message)->authorId == workspace.all().self;
  if (!own && !(*channel)->canManage) {
    return failed_to(kAction, codes::kMissingPermissions,
                     fmt::format("missing permission to manage messages in #{}", (*channel)->name));
  }
  workspace.remove(**message);
  return MessageDeleted{.messageId = asked.messageId,
                        .channelId = asked.channelId,
                        .deletedAt = iso_time(workspace.next_moment()),
                        .message = "Message deleted",
                        .deletionMethod = own ? "own" : "moderator"};
}

}  // namespace

void add_message_tools(server::Server& server, const Shared& workspace) {
  server
      .tool("discord_read_channel", "Reads messages of a channel, the newest first, in pages",
            reads(workspace, "read channel", read_channel))
      .read_only();
  server
      .tool("discord_send_message", "Sends a message to a channel",
            changes(workspace, "send message", send))
      .destructive(false);
  server
      .tool("discord_edit_message", "Changes the text of a message of your own",
            changes(workspace, "edit message", edit))
      .destructive()
      .idempotent();
  server
      .tool("discord_reply_message", "Sends a message that answers another",
            changes(workspace, "reply to message", reply))
      .destructive(false);
  server
      .tool("discord_delete_message", "Deletes a message",
            changes(workspace, "delete message", remove))
      .destructive();
}

}  // namespace discord
