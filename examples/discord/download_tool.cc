// SPDX-License-Identifier: Apache-2.0
// Attachments become files, each message in a folder of its own.
#include "message_answers.h"
#include "tools.h"

#include <fmt/core.h>
#include <fstream>

namespace discord {
namespace {

using namespace enfold;
namespace fs = std::filesystem;

struct DownloadAsked {
  std::string channelId;
  std::string messageId;
  static constexpr auto arguments() {
    return server::arguments(server::argument("channelId", &DownloadAsked::channelId),
                             server::argument("messageId", &DownloadAsked::messageId));
  }
};

// Whoever sent the file chose its name. Nothing of it may lead elsewhere.
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

server::Answer<Downloads> download(Workspace& workspace, const DownloadAsked& asked,
                                   const fs::path& folder) {
  constexpr std::string_view kAction = "download attachments";
  const auto channel = find_channel(workspace, asked.channelId, Right::read, kAction);
  if (!channel) return channel.error();
  const auto message = find_message(workspace, **channel, asked.messageId, kAction);
  if (!message) return message.error();
  Downloads all{.totalAttachments = (*message)->attachments.size()};
  if (all.totalAttachments == 0) {
    all.success = false;
    all.message = "The message has no attachments";
    return all;
  }
  for (const Attachment& attachment : (*message)->attachments) {
    all.downloads.push_back(save(attachment, folder / (*message)->id));
    ++(all.downloads.back().success ? all.successfulDownloads : all.failedDownloads);
  }
  all.success = all.successfulDownloads > 0;
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
