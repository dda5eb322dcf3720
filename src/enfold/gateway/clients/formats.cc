// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/clients/formats.h"

#include <algorithm>

namespace enfold::gateway {
namespace {

using Base = ClientPlace::Base;
using std::chrono::milliseconds;

constexpr milliseconds kMillisecond{1};
constexpr milliseconds kSecond{1000};

std::vector<ClientFormat> make_formats() {
  std::vector<ClientFormat> out;
  out.push_back(
      {.name = "claude-code",
       .title = "Claude Code",
       .places = {{Base::home, ".claude.json", "CLAUDE_CONFIG_DIR"}, {Base::project, ".mcp.json"}},
       .servers = {"/mcpServers", "/projects/*/mcpServers"},
       .variables = kBraces,
       .timeouts = {{"timeout", kMillisecond}}});
  out.push_back({.name = "claude-desktop",
                 .title = "Claude Desktop",
                 .places = {{Base::config, "Claude/claude_desktop_config.json"}},
                 .servers = {"/mcpServers"}});
  out.push_back({.name = "cursor",
                 .title = "Cursor",
                 .places = {{Base::home, ".cursor/mcp.json"}, {Base::project, ".cursor/mcp.json"}},
                 .servers = {"/mcpServers"},
                 .variables = kEnv | kFolders});
  out.push_back({.name = "vscode",
                 .title = "VS Code",
                 .places = {{Base::config, "Code/User/mcp.json"},
                            {Base::config, "Code/User/settings.json"},
                            {Base::config, "Code/User/profiles/*/mcp.json"},
                            {Base::config, "Code - Insiders/User/mcp.json"},
                            {Base::config, "Code - Insiders/User/settings.json"},
                            {Base::config, "VSCodium/User/mcp.json"},
                            {Base::config, "VSCodium/User/settings.json"},
                            {Base::project, ".vscode/mcp.json"},
                            {Base::project, ".vscode/settings.json"}},
                 .servers = {"/servers", "/mcp/servers"},
                 .variables = kEnv | kInput | kFolders});
  out.push_back({.name = "windsurf",
                 .title = "Windsurf",
                 .places = {{Base::home, ".codeium/windsurf/mcp_config.json"},
                            {Base::home, ".codeium/mcp_config.json"}},
                 .servers = {"/mcpServers"},
                 .variables = kEnv | kFile});
  out.push_back(
      {.name = "gemini",
       .title = "Gemini CLI",
       .places = {{Base::home, ".gemini/settings.json"}, {Base::project, ".gemini/settings.json"}},
       .servers = {"/mcpServers"},
       .variables = kDollar | kBraces,
       .timeouts = {{"timeout", kMillisecond}},
       .url_may_be_sse = true});
  out.push_back({.name = "opencode",
                 .title = "OpenCode",
                 .places = {{Base::config, "opencode/opencode.json"},
                            {Base::config, "opencode/opencode.jsonc"},
                            {Base::named, "", "OPENCODE_CONFIG"},
                            {Base::project, "opencode.json"},
                            {Base::project, "opencode.jsonc"},
                            {Base::project, ".opencode/opencode.json"},
                            {Base::project, ".opencode/opencode.jsonc"}},
                 .servers = {"/mcp/servers", "/mcp"},
                 .variables = kCurlyEnv | kCurlyFile,
                 .timeouts = {{"timeout", kMillisecond, true}}});
  out.push_back({.name = "codex",
                 .title = "Codex",
                 .is_toml = true,
                 .places = {{Base::home, ".codex/config.toml", "CODEX_HOME"},
                            {Base::project, ".codex/config.toml"}},
                 .servers = {"/mcp_servers"},
                 .timeouts = {{"startup_timeout_sec", kSecond, true},
                              {"startup_timeout_ms", kMillisecond, true},
                              {"tool_timeout_sec", kSecond}}});
  out.push_back(
      {.name = "zed",
       .title = "Zed",
       .places = {{Base::config, "zed/settings.json"}, {Base::project, ".zed/settings.json"}},
       .servers = {"/context_servers"},
       .timeouts = {{"timeout", kSecond}}});
  out.push_back({.name = "other",
                 .title = "another client",
                 .servers = {"/mcpServers", "/servers", "/mcp/mcpServers", "/mcp/servers"},
                 .variables = kBraces | kEnv | kInput | kFolders});
  return out;
}

// `pattern`: one step of a path; * matches any.
bool step_matches(std::string_view pattern, std::string_view step) {
  return pattern == "*" || pattern == step;
}

// Whether the last steps of a path match `pattern`.
bool ends_with_steps(const std::filesystem::path& file, std::string_view pattern) {
  const std::filesystem::path wanted(pattern);
  auto at = file.end();
  for (auto step = wanted.end(); step != wanted.begin();) {
    --step;
    if (at == file.begin()) return false;
    --at;
    if (!step_matches(step->string(), at->string())) return false;
  }
  return true;
}

bool has_object(json::View settings, std::string_view key) {
  const auto found = settings.find(key);
  return found && found->is_object();
}

// The name of the client whose settings have such members; "other" if none is recognised.
std::string_view name_by_content(json::View settings) {
  if (has_object(settings, "context_servers")) return "zed";
  if (has_object(settings, "mcp_servers")) return "codex";
  if (has_object(settings, "projects")) return "claude-code";
  const auto mcp = settings.find("mcp");
  if (!mcp || !mcp->is_object() || has_object(settings, "mcpServers")) return "other";
  const auto servers = mcp->find("servers");
  const json::View list = servers && servers->is_object() ? *servers : *mcp;
  for (const json::Member& member : list.members()) {
    const auto type = member.value.find("type");
    if (type && (type->equals("local") || type->equals("remote"))) return "opencode";
  }
  return servers ? "vscode" : "other";
}

// Empty: the user has no such folder.
std::filesystem::path base_folder(const ClientPlace& place, const ClientFolders& folders) {
  return place.base == Base::config ? folders.config : folders.home;
}

}  // namespace

std::span<const ClientFormat> client_formats() {
  static const std::vector<ClientFormat> formats = make_formats();
  return formats;
}

const ClientFormat* find_client_format(std::string_view name) {
  const auto formats = client_formats();
  const auto found = std::ranges::find(formats, name, &ClientFormat::name);
  return found == formats.end() ? nullptr : &*found;
}

const ClientFormat* format_of_path(const std::filesystem::path& file) {
  for (const ClientFormat& format : client_formats()) {
    for (const ClientPlace& place : format.places) {
      if (!place.path.empty() && ends_with_steps(file, place.path)) return &format;
    }
  }
  return nullptr;
}

const ClientFormat& detect_client_format(const std::filesystem::path& file, json::View settings) {
  if (const ClientFormat* by_path = format_of_path(file)) return *by_path;
  return *find_client_format(name_by_content(settings));
}

std::vector<ClientFile> client_files(const ClientFolders& folders) {
  std::vector<ClientFile> out;
  for (const ClientFormat& format : client_formats()) {
    for (const ClientPlace& place : format.places) {
      // The path that the user has set in the variable; empty: not set.
      const std::string named =
          place.variable.empty() ? std::string() : folders.variable(place.variable);
      if (place.base == Base::project) {
        for (const std::filesystem::path& project : folders.projects) {
          out.push_back({&format, project / place.path, /*of_project=*/true});
        }
      } else if (place.base == Base::named) {
        if (!named.empty()) out.push_back({&format, named, /*of_project=*/false});
      } else if (!named.empty()) {
        out.push_back({&format,
                       std::filesystem::path(named) / std::filesystem::path(place.path).filename(),
                       /*of_project=*/false});
      } else if (const auto base = base_folder(place, folders); !base.empty()) {
        out.push_back({&format, base / place.path, /*of_project=*/false});
      }
    }
  }
  return out;
}

}  // namespace enfold::gateway
