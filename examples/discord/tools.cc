// SPDX-License-Identifier: Apache-2.0
#include "tools.h"

#include "answers.h"
#include "enfold/contract/errors/failures.h"

#include <fmt/core.h>

namespace discord {

using namespace enfold;

model::Response failed_to(std::string_view action, const Code& code, const std::string& cause,
                          std::optional<json::Value> details) {
  return contract::make_failure(contract::failures::Other{
      .message = fmt::format("Failed to {}: {}", action, cause),
      .code = std::string(code.name),
      .type = code.type,
      .extra = {.remediation = {std::string(code.remedy)}, .details = std::move(details)}});
}

model::Response failed_to(std::string_view action, const Error& storage) {
  fmt::print(stderr, "level=error event=storage_failed at=\"{}\" message=\"{}\"\n", storage.where,
             storage.message);
  const bool full = storage.code == ErrorCode::limit_exceeded;
  return full ? failed_to(action, codes::kStorageFull, storage.message)
              : failed_to(action, codes::kStorageUnavailable, "the state cannot be kept");
}

Or<const Channel*> find_channel(const Workspace& workspace, const std::string& id, Right right,
                                std::string_view action) {
  const Channel* channel = workspace.channel(id);
  if (channel == nullptr) {
    return tl::unexpected(
        failed_to(action, codes::kUnknownChannel, fmt::format("unknown channel {}", id)));
  }
  const bool allowed = right == Right::read ? channel->canRead : channel->canWrite;
  if (!allowed || !channel->canRead) {
    return tl::unexpected(
        failed_to(action, codes::kMissingPermissions,
                  fmt::format("missing permission to {} in #{}",
                              right == Right::read ? "read" : "write", channel->name)));
  }
  if (channel->type == ChannelType::GUILD_VOICE) {
    return tl::unexpected(failed_to(action, codes::kInvalidChannelType,
                                    fmt::format("#{} is no text channel", channel->name)));
  }
  return channel;
}

Or<Message*> find_message(Workspace& workspace, const Channel& channel, const std::string& id,
                          std::string_view action) {
  Message* message = workspace.message(channel, id);
  if (message != nullptr) return message;
  return tl::unexpected(failed_to(action, codes::kUnknownMessage,
                                  fmt::format("unknown message {} in #{}", id, channel.name)));
}

void add_catalog_tool(server::Server& server) {
  const auto catalog = std::make_shared<ToolCatalog>();
  server
      .tool("mcp_list_tools", "Lists the tools of this server with their input schemas",
            [catalog](const server::NoArguments&) { return *catalog; })
      .read_only();
  const auto lists = server.lists();
  for (const server::Offered<server::ToolSpec>& tool : lists->tools) {
    ToolLine line{tool.spec->name, tool.spec->description, {}};
    for (const json::Member& member : tool.spec->input_schema->members()) {
      line.inputSchema.emplace(member.key.string(), json::Value(member.value));
    }
    catalog->tools.push_back(std::move(line));
  }
}

}  // namespace discord
