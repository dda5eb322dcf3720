// SPDX-License-Identifier: Apache-2.0
// What Enfold knows about the settings of MCP clients: where the files are, where a file has its
// servers, and how a server is written. One row per client; docs/reference/formats/clients.md names
// the sources.
#pragma once

#include "enfold/json/document.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::gateway {

/// The forms of variables that a client replaces in its settings; combined as flags.
enum VariableSyntax : unsigned {
  kDollar = 1U,           ///< $NAME
  kBraces = 1U << 1U,     ///< ${NAME} and ${NAME:-default}
  kEnv = 1U << 2U,        ///< ${env:NAME}
  kInput = 1U << 3U,      ///< ${input:ID}: the client prompts its user
  kCurlyEnv = 1U << 4U,   ///< {env:NAME}
  kCurlyFile = 1U << 5U,  ///< {file:PATH}
  kFile = 1U << 6U,       ///< ${file:PATH}
  kFolders = 1U << 7U,    ///< ${userHome}, ${workspaceFolder}
};

/// A member that holds a timeout as a number.
struct TimeoutMember {
  std::string_view name;
  std::chrono::milliseconds unit;  ///< of the number
  bool is_startup = false;         ///< the timeout of the startup; false: of a call
};

/// Where a client looks for one of its files.
struct ClientPlace {
  enum class Base : std::uint8_t {
    home,     ///< the home folder
    config,   ///< $XDG_CONFIG_HOME, else ~/.config
    project,  ///< the folder of a project
    named,    ///< none: `variable` has the path of the file; without it there is no file
  };
  Base base = Base::home;
  std::string_view path;  ///< of the file, below the base; one step may be *, which matches any
  /// Environment variable that replaces the folder of the file; empty: none.
  std::string_view variable = {};
};

struct ClientFormat {
  std::string_view name;   ///< "claude-code"
  std::string_view title;  ///< "Claude Code"
  bool is_toml = false;
  std::vector<ClientPlace> places;
  /// JSON Pointers to the objects that map names to servers; * matches every member.
  std::vector<std::string_view> servers;
  unsigned variables = 0;  ///< VariableSyntax flags
  std::vector<TimeoutMember> timeouts;
  /// A server with `url` and without a type may use HTTP+SSE, the transport of old servers.
  bool url_may_be_sse = false;
};

/// All clients, in the order of lists for users. The last one, "other", has no files: its servers
/// and variables are the common forms, for the file of an unknown client.
[[nodiscard]] std::span<const ClientFormat> client_formats();

/// nullptr: there is no client of that name.
[[nodiscard]] const ClientFormat* find_client_format(std::string_view name);

/// The client that a file belongs to: by its path, else by the members of its root.
[[nodiscard]] const ClientFormat& detect_client_format(const std::filesystem::path& file,
                                                       json::View settings);

/// Like detect_client_format, by the path alone; nullptr: no client has a file of this name.
[[nodiscard]] const ClientFormat* format_of_path(const std::filesystem::path& file);

/// The folders and environment variables of the user whose files are searched.
struct ClientFolders {
  std::filesystem::path home;
  std::filesystem::path config;                                ///< as ClientPlace::Base::config
  std::vector<std::filesystem::path> projects;                 ///< innermost first
  std::function<std::string(std::string_view name)> variable;  ///< empty: not set
};

/// A file that a client would read; it may not exist.
struct ClientFile {
  const ClientFormat* format = nullptr;
  std::filesystem::path path;  ///< one step may be *, which matches any
  bool of_project = false;     ///< the file of one project; false: of the user
};
/// All files that the clients would read for this user.
[[nodiscard]] std::vector<ClientFile> client_files(const ClientFolders& folders);

}  // namespace enfold::gateway
