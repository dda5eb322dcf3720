// SPDX-License-Identifier: Apache-2.0
// Finds and reads the settings files of this user's MCP clients, and those in the project that the
// current folder belongs to.
#pragma once

#include "enfold/gateway/clients/settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace enfold::cli {

struct FoundSettings {
  /// nullptr: read_settings was to detect the format, but the file cannot be read.
  const gateway::ClientFormat* format = nullptr;
  std::filesystem::path path;
  bool of_project = false;  ///< the file of one project; false: of the user
  Result<gateway::ClientSettings> settings;
};

/// The folders of this user. Projects: the current folder and those above it, up to the one with
/// .git; without a .git only the current folder.
[[nodiscard]] gateway::ClientFolders client_folders();

/// All settings files that exist. `client`: only those of the client with this name; empty: of all
/// clients. A file that several clients share is listed once.
[[nodiscard]] std::vector<FoundSettings> find_settings(const std::string& client = {});

/// Reads one file. `format` nullptr: it is detected.
[[nodiscard]] FoundSettings read_settings(const std::filesystem::path& path,
                                          const gateway::ClientFormat* format = nullptr);

/// The path to show to users: with ~ for the home folder.
[[nodiscard]] std::string short_path(const std::filesystem::path& path);

/// An environment variable; empty if it is not set.
[[nodiscard]] std::string environment_variable(std::string_view name);

}  // namespace enfold::cli
