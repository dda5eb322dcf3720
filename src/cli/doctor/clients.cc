// SPDX-License-Identifier: Apache-2.0
// The settings of clients, and the configuration of `enfold serve`.
#include "cli/doctor/checks.h"
#include "cli/settings/serve_config.h"
#include "enfold/gateway/clients/variables.h"
#include "enfold/gateway/clients/wrap.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>
#include <system_error>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;
using gateway::ServerEntry;
using gateway::TextPiece;

// A text with the values that the client would fill in; the reason if only the client knows them.
Result<std::string> filled_in(const std::string& text, unsigned syntax, const fs::path& project) {
  std::string out;
  for (const TextPiece& piece : gateway::split_variables(text, syntax)) {
    switch (piece.kind) {
      case TextPiece::Kind::text: out += piece.text; continue;
      case TextPiece::Kind::variable: {
        const std::string value = environment_variable(piece.text);
        out += value.empty() ? piece.fallback.value_or("") : value;
        continue;
      }
      case TextPiece::Kind::folder:
        out += piece.text == "userHome" ? environment_variable("HOME") : project.string();
        continue;
      case TextPiece::Kind::input:
        return fail(ErrorCode::unsupported, "the client prompts for " + piece.text);
      case TextPiece::Kind::file:
        return fail(ErrorCode::unsupported, "it reads the file " + piece.text);
      case TextPiece::Kind::unknown:
        return fail(ErrorCode::unsupported, "only the client knows " + piece.text);
    }
  }
  return out;
}

// The folder in which the client starts a server: the project. Of a server for all projects, the
// current one.
fs::path folder_of(const FoundSettings& found, const ServerEntry& server) {
  if (!server.scope.empty()) return server.scope;
  std::error_code ignored;
  if (!found.of_project) {
    const std::vector<fs::path> projects = client_folders().projects;
    return projects.empty() ? fs::path() : projects.back();
  }
  const fs::path folder = fs::absolute(found.path, ignored).parent_path();
  const bool is_hidden = folder.filename().string().starts_with('.');
  return is_hidden ? folder.parent_path() : folder;
}

Result<client::StdioTarget> target_of(const FoundSettings& found, const ServerEntry& server) {
  const unsigned syntax = found.settings->format().variables;
  const fs::path folder = folder_of(found, server);
  client::StdioTarget out;
  for (const gateway::CommandWord& word : server.command->words) {
    ENFOLD_TRY(std::string text, filled_in(word.text, syntax, folder));
    out.command.push_back(std::move(text));
  }
  const auto command = server.value.find("command");
  const json::View holder = command && command->is_object() ? *command : server.value;
  for (const std::string_view name : {"env", "environment"}) {
    const auto variables = holder.find(name);
    if (!variables) continue;
    for (const json::Member& member : variables->members()) {
      if (!member.value.is_string()) continue;
      ENFOLD_TRY(std::string text, filled_in(member.value.string(), syntax, folder));
      out.environment.emplace_back(member.key.string(), std::move(text));
    }
  }
  out.folder = folder.string();
  if (const auto cwd = json::string_member(server.value, "cwd")) {
    ENFOLD_TRY(const std::string text, filled_in(*cwd, syntax, folder));
    out.folder = (folder / text).string();
  }
  std::error_code ignored;
  if (!out.folder.empty() && !fs::is_directory(out.folder, ignored)) {
    return fail(ErrorCode::not_found, fmt::format("its folder {} does not exist", out.folder));
  }
  return out;
}

void add_server(const FoundSettings& found, const ServerEntry& server, DoctorReport& report,
                std::vector<ServerToStart>& out) {
  if (!server.command || gateway::is_disabled(server.value)) return;
  const std::string label = fmt::format("{} ({})", server.name, found.format->title);
  Result<client::StdioTarget> target = target_of(found, server);
  if (!target) {
    report.note("servers", fmt::format("{}: not started: {}", label, target.error().message),
                fmt::format("see {}", short_path(found.path)));
    return;
  }
  // Many projects may have the same server.
  const bool is_known = std::ranges::any_of(out, [&](const ServerToStart& other) {
    return other.target.command == target->command && other.target.folder == target->folder &&
           other.target.environment == target->environment;
  });
  if (!is_known)
    out.push_back({label, short_path(found.path), std::move(*target), found.of_project});
}

void check_wrapping(const FoundSettings& found, DoctorReport& report) {
  std::size_t commands = 0;
  std::size_t wrapped = 0;
  std::size_t urls = 0;
  for (const ServerEntry& server : found.settings->servers()) {
    if (!server.command) {
      urls += server.problem.empty() ? 1 : 0;
      continue;
    }
    ++commands;
    wrapped += gateway::is_wrapped(*server.command) ? 1 : 0;
  }
  std::string text = fmt::format("{} ({}): {} of {} wrapped", found.format->title,
                                 short_path(found.path), wrapped, counted(commands, "server"));
  if (urls > 0) text += fmt::format(", {} at a URL", urls);
  if (wrapped == commands) {
    report.ok("clients", text);
    return;
  }
  report.note("clients", text, fmt::format("enfold import --wrap {}", found.format->name));
}

}  // namespace

std::vector<ServerToStart> check_clients(const std::vector<FoundSettings>& found,
                                         DoctorReport& report) {
  std::vector<ServerToStart> out;
  bool any = false;
  for (const FoundSettings& one : found) {
    if (!one.settings) {
      report.problem("clients", one.settings.error());
      continue;
    }
    if (one.settings->servers().empty()) continue;
    any = true;
    check_wrapping(one, report);
    for (const ServerEntry& server : one.settings->servers()) add_server(one, server, report, out);
  }
  if (!any) {
    report.note("clients", "no client with an MCP server was found",
                "add a server to a client, then enfold import --wrap");
  }
  return out;
}

void leave_out_project(std::vector<ServerToStart>& servers, DoctorReport& report) {
  const auto count =
      std::erase_if(servers, [](const ServerToStart& one) { return one.of_project; });
  if (count == 0) return;
  report.note("servers", fmt::format("{} of the project not started", counted(count, "server")),
              "enfold doctor --project, if you trust this project");
}

std::vector<ServerToStart> check_configuration(const std::string& file, DoctorReport& report) {
  const auto serving = load_config(file);
  if (!serving) {
    for (const Error& error : serving.error()) report.problem("config", error);
    return {};
  }
  const auto& upstreams = serving->settings.upstreams;
  report.ok("config", fmt::format("{} is valid, {}", file, counted(upstreams.size(), "upstream")));
  if (serving->archive != "memory" && serving->archive != "none" && !serving->archive.empty()) {
    check_archive(serving->archive, report);
  }
  std::vector<ServerToStart> out;
  for (const gateway::UpstreamSettings& upstream : upstreams) {
    if (const auto* program = std::get_if<client::StdioTarget>(&upstream.target)) {
      out.push_back({fmt::format("{} ({})", upstream.name, file), file, *program});
    }
  }
  return out;
}

}  // namespace enfold::cli
