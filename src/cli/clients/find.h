// SPDX-License-Identifier: Apache-2.0
// Finds and reads the settings files of the MCP clients of this user, and those of the project of
// the current folder.
#pragma once

#include "enfold/gateway/clients/settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace enfold::cli {

/// A settings file that exists.
struct FoundSettings {
  const gateway::ClientFormat* format = nullptr;
  std::filesystem::path path;
  bool of_project = false;
  Result<gateway::ClientSettings> settings;
};

/// Home and configuration folder of this user; the current folder and those above it, up to the one
/// with .git.
[[nodiscard]] gateway::ClientFolders client_folders();

/// `client`: the name of one client; empty: all. A file that several clients share is listed once.
[[nodiscard]] std::vector<FoundSettings> find_settings(const std::string& client = {});

/// Reads one file; `format`: nullptr: detected.
[[nodiscard]] FoundSettings read_settings(const std::filesystem::path& path,
                                          const gateway::ClientFormat* format = nullptr);

/// The path with ~ for the home folder, for people.
[[nodiscard]] std::string short_path(const std::filesystem::path& path);

/// An environment variable; empty if it is not set.
[[nodiscard]] std::string environment_variable(std::string_view name);

}  // namespace enfold::cli
