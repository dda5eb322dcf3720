// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/run.h"
#include "tools.h"

#include <filesystem>

namespace discord {
namespace {

using namespace enfold;

struct Config {
  std::string workspace = "workspace.json";
  std::string state = "discord-state.json";
  std::string downloads = "downloads";
  static constexpr auto arguments() {
    return server::arguments(
        server::argument("workspace", &Config::workspace)
            .describe("File with guilds, channels, users and the first messages, relative to this "
                      "file")
            .defaulted(),
        server::argument("state", &Config::state)
            .describe("File for messages and filters, relative to the current folder; made with "
                      "the first change")
            .at_least(1)
            .defaulted(),
        server::argument("downloads", &Config::downloads)
            .describe("Folder for attachments, relative to the current folder")
            .defaulted());
  }
};

Result<server::Server> make(const Config& config, const std::filesystem::path& folder) {
  Result<Workspace> loaded = Workspace::open(folder / config.workspace, config.state);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto workspace = std::make_shared<Workspace>(std::move(*loaded));
  server::Settings settings;
  settings.contract = "none";
  settings.levels.default_level = level::Level::full;  // leaves no empty list out
  settings.local_tools = false;
  server::Server discord("discord", "1.0.0", std::move(settings));
  discord.title = "Simulated Discord";
  discord.instructions = "A small simulated chat. Nothing leaves this computer.";
  add_list_tools(discord, workspace);
  add_filter_tools(discord, workspace);
  add_message_tools(discord, workspace);
  add_download_tool(discord, workspace, config.downloads);
  add_catalog_tool(discord);
  return discord;
}

}  // namespace
}  // namespace discord

int main(int argc, char** argv) {
  return enfold::server::run<discord::Config>(argc, argv, discord::make);
}
