// SPDX-License-Identifier: Apache-2.0
// The answers of the tools that read, write and download messages.
#pragma once

#include "answers.h"

namespace discord {

struct AttachmentLine {
  std::string id;
  std::string filename;
  std::optional<std::size_t> size;
  static constexpr auto fields() {
    return level::fields(shown("id", &AttachmentLine::id),
                         shown("filename", &AttachmentLine::filename),
                         if_any("size", &AttachmentLine::size));
  }
};

struct Author {
  std::string id;
  std::string username;
  static constexpr auto fields() {
    return level::fields(shown("id", &Author::id), shown("username", &Author::username));
  }
};

struct MessageLine {
  std::string id;
  std::string content;
  Author author;
  std::int64_t timestamp = 0;
  std::optional<std::int64_t> editedTimestamp;
  std::optional<std::string> replyTo;
  std::vector<AttachmentLine> attachments;
  static constexpr auto fields() {
    using Line = MessageLine;
    return level::fields(
        shown("id", &Line::id), shown("content", &Line::content), shown("author", &Line::author),
        shown("timestamp", &Line::timestamp), if_any("editedTimestamp", &Line::editedTimestamp),
        if_any("replyTo", &Line::replyTo), shown("attachments", &Line::attachments));
  }
};

struct ChannelName {
  std::string id;
  std::string name;
  std::string guildId;
  static constexpr auto fields() {
    return level::fields(shown("id", &ChannelName::id), shown("name", &ChannelName::name),
                         shown("guildId", &ChannelName::guildId));
  }
};

struct MessagePage {
  std::string filterType = "none";  ///< none, before or after
  std::size_t limit = 0;
  std::size_t count = 0;
  std::optional<std::string> oldestMessageId;
  std::optional<std::string> newestMessageId;
  bool hasMore = false;
  static constexpr auto fields() {
    using Page = MessagePage;
    return level::fields(
        shown("filterType", &Page::filterType), shown("limit", &Page::limit),
        shown("count", &Page::count), shown("oldestMessageId", &Page::oldestMessageId),
        shown("newestMessageId", &Page::newestMessageId), shown("hasMore", &Page::hasMore));
  }
};

struct MessageList {
  ChannelName channel;
  std::vector<MessageLine> messages;  ///< the newest first
  MessagePage pagination;
  std::string resolvedFrom;
  static constexpr auto fields() {
    using List = MessageList;
    return level::fields(shown("channel", &List::channel), shown("messages", &List::messages),
                         shown("pagination", &List::pagination),
                         shown("resolvedFrom", &List::resolvedFrom));
  }
};

struct WarningLine {
  std::string type;
  std::string detail;
  static constexpr auto fields() {
    return level::fields(shown("type", &WarningLine::type), shown("detail", &WarningLine::detail));
  }
};

struct MessageSent {
  bool success = true;
  std::string messageId;
  std::string channelId;
  std::string content;
  std::int64_t timestamp = 0;
  std::optional<std::string> replyTo;
  std::size_t attachmentCount = 0;
  std::optional<std::vector<AttachmentLine>> attachments;
  std::optional<std::vector<WarningLine>> warnings;
  std::optional<std::size_t> warningCount;
  static constexpr auto fields() {
    using Sent = MessageSent;
    return level::fields(
        shown("success", &Sent::success), shown("messageId", &Sent::messageId),
        shown("channelId", &Sent::channelId), shown("content", &Sent::content),
        shown("timestamp", &Sent::timestamp), shown("replyTo", &Sent::replyTo),
        shown("attachmentCount", &Sent::attachmentCount), if_any("attachments", &Sent::attachments),
        if_any("warnings", &Sent::warnings), if_any("warningCount", &Sent::warningCount));
  }
};

struct MessageDeleted {
  bool success = true;
  std::string messageId;
  std::string channelId;
  std::string deletedAt;
  std::string message;
  std::optional<std::string> errorMessage;
  std::string deletionMethod;  ///< own or moderator
  static constexpr auto fields() {
    using Gone = MessageDeleted;
    return level::fields(shown("success", &Gone::success), shown("messageId", &Gone::messageId),
                         shown("channelId", &Gone::channelId), shown("deletedAt", &Gone::deletedAt),
                         shown("message", &Gone::message),
                         shown("errorMessage", &Gone::errorMessage),
                         shown("deletionMethod", &Gone::deletionMethod));
  }
};

struct Download {
  std::string filename;
  std::optional<std::size_t> size;
  bool success = false;
  std::optional<std::string> path;
  std::optional<std::string> error;
  static constexpr auto fields() {
    return level::fields(shown("filename", &Download::filename), if_any("size", &Download::size),
                         shown("success", &Download::success), if_any("path", &Download::path),
                         if_any("error", &Download::error));
  }
};

struct Downloads {
  bool success = true;
  std::string message;
  std::size_t totalAttachments = 0;
  std::size_t successfulDownloads = 0;
  std::size_t failedDownloads = 0;
  std::vector<Download> downloads;
  static constexpr auto fields() {
    using This = Downloads;
    return level::fields(shown("success", &This::success), shown("message", &This::message),
                         shown("totalAttachments", &This::totalAttachments),
                         shown("successfulDownloads", &This::successfulDownloads),
                         shown("failedDownloads", &This::failedDownloads),
                         shown("downloads", &This::downloads));
  }
};

}  // namespace discord
