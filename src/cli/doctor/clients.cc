// SPDX-License-Identifier: Apache-2.0
// The checks of the clients' settings and of the configuration of `enfold serve`.
#include "cli/clients/own_command.h"
#include "cli/doctor/checks.h"
#include "cli/settings/serve_config.h"
#include "cli/terminal/shell_words.h"
#include "enfold/gateway/clients/variables.h"
#include "enfold/gateway/clients/wrap.h"
#include "enfold/gateway/config/values.h"

#include <algorithm>
#include <fmt/core.h>
#include <system_error>
#include <unistd.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;
using gateway::ServerEntry;
using gateway::TextPiece;

// A text of a client's settings with its variables replaced.
struct FilledText {
  std::string value;  ///< with the values that the client would use
  std::string shown;  ///< for a command line of a shell: secrets left out, variables as "$NAME"
};

// `name`: of the text, to recognise a secret; `syntax`: VariableSyntax flags. Fails if only the
// client knows a value.
Result<FilledText> filled_in(const std::string& text, const std::string& name, unsigned syntax,
                             const fs::path& project) {
  FilledText out;
  const auto add = [&](const std::string& value) {
    out.value += value;
    out.shown += gateway::is_secret(value, name) ? std::string(kLeftOut) : shell_quoted(value);
  };
  for (const TextPiece& piece : gateway::split_variables(text, syntax)) {
    switch (piece.kind) {
      case TextPiece::Kind::text: add(piece.text); continue;
      case TextPiece::Kind::variable: {
        const std::string value = environment_variable(piece.text);
        if (value.empty()) {
          add(piece.fallback.value_or(""));
        } else {
          out.value += value;
          out.shown += fmt::format("\"${}\"", piece.text);
        }
        continue;
      }
      case TextPiece::Kind::folder:
        add(piece.text == "userHome" ? environment_variable("HOME") : project.string());
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

// The folder in which the client starts a server: its project; for a server of all projects, the
// current project. Empty: not known.
fs::path folder_of(const FoundSettings& found, const ServerEntry& server) {
  if (!server.scope.empty()) return server.scope;
  std::error_code ignored;
  if (!found.of_project) {
    const std::vector<fs::path> projects = client_folders().projects;
    return projects.empty() ? fs::path() : projects.back();
  }
  const fs::path folder = fs::absolute(found.path, ignored).parent_path();
  const bool is_settings_folder = folder.filename().string().starts_with('.');  // .vscode
  return is_settings_folder ? folder.parent_path() : folder;
}

// How a client starts a server.
struct Start {
  client::StdioTarget target;
  std::string words;  ///< the same as text for a shell: " env NAME=VALUE PROGRAM ARGUMENT…"
};

// Adds the words of the command.
Status add_words(const FoundSettings& found, const ServerEntry& server, const fs::path& folder,
                 Start& out) {
  const unsigned syntax = found.settings->format().variables;
  std::string flag;
  for (const gateway::CommandWord& word : server.command->words) {
    ENFOLD_TRY(FilledText text, filled_in(word.text, flag, syntax, folder));
    const bool has_variables = text.value != word.text;
    out.words += " " + (has_variables ? text.shown : shown_word(word.text, flag));
    out.target.command.push_back(std::move(text.value));
    flag = gateway::name_after_flag(word.text);
  }
  return {};
}

// Adds the variables that the settings set for the server; call it after add_words.
Status add_environment(const FoundSettings& found, const ServerEntry& server,
                       const fs::path& folder, Start& out) {
  const auto command = server.value.find("command");
  const json::View holder = command && command->is_object() ? *command : server.value;
  std::string assignments;
  for (const std::string_view name : {"env", "environment"}) {
    const auto variables = holder.find(name);
    if (!variables) continue;
    for (const json::Member& member : variables->members()) {
      if (!member.value.is_string()) continue;
      const std::string key = member.key.string();
      ENFOLD_TRY(FilledText text,
                 filled_in(member.value.string(), key, found.settings->format().variables, folder));
      assignments += fmt::format(" {}={}", shell_quoted(key), text.shown);
      out.target.environment.emplace_back(key, std::move(text.value));
    }
  }
  if (!assignments.empty()) out.words = " env" + assignments + out.words;
  return {};
}

Result<Start> start_of(const FoundSettings& found, const ServerEntry& server) {
  const fs::path folder = folder_of(found, server);
  Start out;
  ENFOLD_TRY(add_words(found, server, folder, out));
  ENFOLD_TRY(add_environment(found, server, folder, out));
  out.target.folder = folder.string();
  if (const auto cwd = json::string_member(server.value, "cwd")) {
    ENFOLD_TRY(const FilledText text,
               filled_in(*cwd, "cwd", found.settings->format().variables, folder));
    out.target.folder = (folder / text.value).string();
  }
  std::error_code ignored;
  if (!out.target.folder.empty() && !fs::is_directory(out.target.folder, ignored)) {
    return fail(ErrorCode::not_found,
                fmt::format("its folder {} does not exist", out.target.folder));
  }
  return out;
}

// The command that shows what a server writes to its standard error.
std::string log_command_of(const Start& start) {
  const std::string& folder = start.target.folder;
  const std::string change = folder.empty() ? "" : "cd " + shell_quoted(folder) + " && ";
  const std::string_view note = start.words.find(kLeftOut) == std::string::npos
                                    ? ""
                                    : " (… replaces values that may be secret)";
  return fmt::format("{}enfold tools --server-log --{}{}", change, start.words, note);
}

void add_server(const FoundSettings& found, const ServerEntry& server, DoctorReport& report,
                std::vector<ServerToStart>& out) {
  if (!server.command || gateway::is_disabled(server.value)) return;
  const std::string label = fmt::format("{} ({})", server.name, found.format->title);
  Result<Start> start = start_of(found, server);
  if (!start) {
    report.note("servers", fmt::format("{}: not started: {}", label, start.error().message),
                fmt::format("see {}", short_path(found.path)));
    return;
  }
  const client::StdioTarget& target = start->target;
  // Settings for many projects may have the same server; it is started once.
  const bool is_known = std::ranges::any_of(out, [&](const ServerToStart& other) {
    return other.target.command == target.command && other.target.folder == target.folder &&
           other.target.environment == target.environment;
  });
  if (is_known) return;
  const std::string log_command = log_command_of(*start);
  out.push_back(
      {label, short_path(found.path), std::move(start->target), log_command, found.of_project});
}

// Whether the Enfold that a wrapped server's command names still exists. If not, the client says
// only that the server does not start.
void check_program(const FoundSettings& found, const ServerEntry& server, DoctorReport& report) {
  const std::string& program = server.command->words.front().text;
  const auto pieces = gateway::split_variables(program, found.settings->format().variables);
  const bool has_variables = pieces.size() != 1 || pieces.front().kind != TextPiece::Kind::text;
  if (!program.starts_with('/') || has_variables) return;
  const std::string client(found.format->name);
  const std::string fix =
      fmt::format("enfold import --unwrap {0}, then enfold import --wrap {0}", client);
  const std::string label = fmt::format("{} ({}): ", server.name, found.format->title);
  if (::access(program.c_str(), X_OK) != 0) {
    report.problem("clients", label + "there is no program " + program, fix);
  } else if (is_of_npm(program) && npm_link(program) != fs::path(program)) {
    report.note("clients", label + "npm may remove " + program, fix);
  }
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
    if (!gateway::is_wrapped(*server.command)) continue;
    ++wrapped;
    check_program(found, server, report);
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
      const Error& error = one.settings.error();
      const std::string hint = error.hint.empty() ? "" : ": " + error.hint;
      report.problem("clients", error, "edit " + error.where + hint);
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

std::vector<ServerToStart> check_configuration(const std::string& file, bool is_trusted,
                                               DoctorReport& report) {
  const auto serving = load_config(file);
  if (!serving) {
    for (const Error& error : serving.error()) report.problem("config", error);
    return {};
  }
  const auto& upstreams = serving->settings.upstreams;
  report.ok("config", fmt::format("{} is valid, {}", file, counted(upstreams.size(), "upstream")));
  const std::string& archive = serving->archive;
  const bool names_archive = archive != "memory" && archive != "none" && !archive.empty();
  if (names_archive && is_trusted) {
    check_archive(archive, report);
  } else if (names_archive) {
    report.note("config", fmt::format("the archive that {} names was not checked", file),
                "enfold doctor --project, if you trust this project");
  }
  std::vector<ServerToStart> out;
  for (const gateway::UpstreamSettings& upstream : upstreams) {
    if (const auto* program = std::get_if<client::StdioTarget>(&upstream.target)) {
      out.push_back({fmt::format("{} ({})", upstream.name, file), file, *program,
                     fmt::format("enfold serve --config {}, and see what the server writes",
                                 shell_quoted(file))});
    }
  }
  return out;
}

}  // namespace enfold::cli
