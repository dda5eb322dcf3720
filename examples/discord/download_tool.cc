// SPDX-License-Identifier: Apache-2.0
// Attachments become files, each message in a folder of its own.
#include "enfold/json/write.h"
#include "message_answers.h"
#include "tools.h"

#include <filesystem>
#include <fmt/core.h>
#include <fstream>

namespace discord {
namespace {

using namespace enfold;
namespace fs = std::filesystem;

constexpr std::string_view kAction = "download attachments";

struct DownloadAsked {
  std::string channelId;
  std::string messageId;
  static constexpr auto arguments() {
    return server::arguments(server::argument("channelId", &DownloadAsked::channelId),
                             server::argument("messageId", &DownloadAsked::messageId));
  }
};

// The sender chose the name; it must not lead out of the folder.
std::string safe_name(std::string_view filename) {
  std::string name;
  for (const char c : filename) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || (c == '.' && !name.empty());
    name += good ? c : '_';
  }
  return name;
}

Download save(const Attachment& attachment, const fs::path& folder) {
  Download download{.filename = attachment.filename};
  if (!attachment.content) {
    download.error = "HTTP 404";
    return download;
  }
  std::error_code failed;
  fs::create_directories(folder, failed);
  const fs::path path =
      folder / fmt::format("{}-{}", attachment.id, safe_name(attachment.filename));
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << *attachment.content;
  file.close();
  if (!file) {
    download.error = "the file cannot be written";
    return download;
  }
  download.success = true;
  download.size = attachment.content->size();
  download.path = path.generic_string();
  return download;
}

Or<const Message*> asked_message(Workspace& workspace, const DownloadAsked& asked) {
  if (auto fresh = workspace.refresh(); !fresh) {
    return tl::unexpected(failed_to(kAction, fresh.error()));
  }
  const auto channel = find_channel(workspace, asked.channelId, Right::read, kAction);
  if (!channel) return tl::unexpected(channel.error());
  const auto message = find_message(workspace, **channel, asked.messageId, kAction);
  if (!message) return tl::unexpected(message.error());
  if ((*message)->attachments.empty()) {
    return tl::unexpected(
        failed_to(kAction, codes::kNoAttachments, "the message has no attachments"));
  }
  return *message;
}

json::Value reasons(const std::vector<Download>& downloads) {
  json::Writer details;
  details.begin_object();
  for (const Download& one : downloads) details.member(one.filename, one.error.value_or(""));
  return std::move(details.end_object()).finish_value();
}

Answer<Downloads> download(Workspace& workspace, const DownloadAsked& asked,
                           const fs::path& folder) {
  const auto message = asked_message(workspace, asked);
  if (!message) return message.error();
  Downloads all{.totalAttachments = (*message)->attachments.size()};
  for (const Attachment& attachment : (*message)->attachments) {
    all.downloads.push_back(save(attachment, folder / (*message)->id));
    ++(all.downloads.back().success ? all.successfulDownloads : all.failedDownloads);
  }
  if (all.successfulDownloads == 0) {
    return failed_to(kAction, codes::kDownloadFailed,
                     fmt::format("none of {} attachments could be saved", all.totalAttachments),
                     reasons(all.downloads));
  }
  all.message =
      fmt::format("Downloaded {} of {} attachments", all.successfulDownloads, all.totalAttachments);
  return all;
}

}  // namespace

void add_download_tool(server::Server& server, const Shared& workspace, fs::path folder) {
  server
      .tool("discord_download_attachments", "Saves the attachments of a message as files",
            [workspace, folder = std::move(folder)](const DownloadAsked& asked) {
              return download(*workspace, asked, folder);
            })
      .destructive(false)
      .idempotent();
}

}  // namespace discord
