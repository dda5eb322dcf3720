// SPDX-License-Identifier: Apache-2.0
// `enfold import`: converts the MCP servers of clients into a configuration, or wraps them in the
// settings files of the clients.
#include "enfold/gateway/clients/import.h"

#include "cli/clients/wrap_files.h"
#include "cli/input/input.h"
#include "cli/terminal/terminal.h"
#include "cli/verbs/verbs.h"
#include "enfold/base/text.h"
#include "enfold/gateway/clients/wrap.h"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;

struct ImportVerbOptions {
  std::vector<std::string> sources;  ///< files and names of clients; empty: all clients
  bool list = false;
  bool wrap = false;
  WrapOptions wrapping;
};

// The names of clients that have settings files.
std::vector<std::string> client_names() {
  std::vector<std::string> out;
  for (const gateway::ClientFormat& format : gateway::client_formats()) {
    if (!format.places.empty()) out.emplace_back(format.name);
  }
  return out;
}

Error no_settings(const std::string& client) {
  std::vector<std::string> places;
  for (const gateway::ClientFile& file : gateway::client_files(client_folders())) {
    if (file.format->name == client) places.push_back(short_path(file.path));
  }
  return {ErrorCode::not_found,
          fmt::format("no settings file of {} was found", client),
          {},
          fmt::format("Enfold looks for {}; pass the file if it is elsewhere",
                      fmt::join(places, ", "))};
}

// Adds the file, unless `files` has it already: two sources may lead to the same file.
void add_once(FoundSettings file, std::vector<FoundSettings>& files) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(file.path, ignored);
  const bool is_known = std::ranges::any_of(files, [&](const FoundSettings& other) {
    return fs::weakly_canonical(other.path, ignored) == path;
  });
  if (!is_known) files.push_back(std::move(file));
}

// The settings files that the sources name; without sources, all that this user has.
Result<std::vector<FoundSettings>> find_sources(const std::vector<std::string>& sources) {
  if (sources.empty()) return find_settings();
  std::vector<FoundSettings> out;
  const std::vector<std::string> names = client_names();
  for (const std::string& source : sources) {
    if (std::ranges::find(names, source) != names.end()) {
      std::vector<FoundSettings> found = find_settings(source);
      if (found.empty()) return tl::unexpected(no_settings(source));
      for (FoundSettings& one : found) add_once(std::move(one), out);
      continue;
    }
    std::error_code ignored;
    if (source != "-" && !fs::exists(source, ignored)) {
      return fail(ErrorCode::not_found,
                  fmt::format("expected a file or the name of a client, found \"{}\"", source), {},
                  did_you_mean(source, names, fmt::format("clients: {}", fmt::join(names, ", "))));
    }
    add_once(read_settings(source), out);
  }
  return out;
}

void print_json(const gateway::ImportResult& imported, Terminal& terminal) {
  json::Writer writer;
  writer.begin_object().member("toml", imported.toml).key("notes").begin_array();
  for (const std::string& note : imported.notes) writer.string(note);
  writer.end_array().end_object();
  terminal.out_line(std::move(writer).finish());
}

gateway::ImportOptions import_options(bool all_projects) {
  gateway::ImportOptions out;
  out.variable = [](const std::string& name) -> std::optional<std::string> {
    const std::string value = environment_variable(name);
    return value.empty() ? std::nullopt : std::optional(value);
  };
  std::error_code ignored;
  out.folder = fs::current_path(ignored);
  const auto projects = client_folders().projects;
  if (!all_projects) out.project = projects.empty() ? out.folder : projects.back();
  return out;
}

int import_all(const std::vector<FoundSettings>& found, const ImportVerbOptions& options,
               Terminal& terminal) {
  int code = kOk;
  std::vector<gateway::ClientSettings> files;
  for (const FoundSettings& one : found) {
    if (one.settings) {
      // Leaves out a file without a list of servers, unless the user named it: clients use some
      // files for other settings too.
      if (one.settings->has_server_list() || !options.sources.empty())
        files.push_back(*one.settings);
    } else {
      code = std::max(code, terminal.report(one.settings.error()));
    }
  }
  if (files.empty() && code != kOk) return code;
  const Result<gateway::ImportResult> imported =
      gateway::import_servers(files, import_options(!options.sources.empty()));
  if (!imported) return terminal.report(imported.error());
  if (options.wrapping.as_json) {
    print_json(*imported, terminal);
    return code;
  }
  // Without the blank line at its begin.
  terminal.out(std::string_view(imported->toml).substr(1));
  for (const std::string& note : imported->notes) terminal.warn(note);
  return code;
}

struct ServerCounts {
  std::size_t all = 0;
  std::size_t wrapped = 0;   ///< their command starts Enfold
  std::size_t commands = 0;  ///< started by a command, wrapped or not
};

ServerCounts count_servers(const gateway::ClientSettings& settings) {
  ServerCounts out;
  for (const gateway::ServerEntry& server : settings.servers()) {
    ++out.all;
    if (!server.command) continue;
    ++out.commands;
    out.wrapped += gateway::is_wrapped(*server.command) ? 1 : 0;
  }
  return out;
}

void list_as_json(const std::vector<FoundSettings>& found, Terminal& terminal) {
  json::Writer writer;
  writer.begin_array();
  for (const FoundSettings& one : found) {
    writer.begin_object().member("client", one.format == nullptr ? "other" : one.format->name);
    writer.member("file", one.path.string());
    if (one.settings) {
      const ServerCounts counts = count_servers(*one.settings);
      writer.member("servers", static_cast<std::int64_t>(counts.all));
      writer.member("stdio", static_cast<std::int64_t>(counts.commands));
      writer.member("wrapped", static_cast<std::int64_t>(counts.wrapped));
    } else {
      writer.member("error", one.settings.error().message);
    }
    writer.end_object();
  }
  writer.end_array();
  terminal.out_line(std::move(writer).finish());
}

int list_clients(const std::vector<FoundSettings>& found, bool as_json, Terminal& terminal) {
  if (as_json) {
    list_as_json(found, terminal);
    return kOk;
  }
  if (found.empty()) {
    terminal.out("no settings file of a client was found\n");
    return kOk;
  }
  terminal.out(
      terminal.styled(fmt::format("{:<15} {:>7} {:>7}  {}", "CLIENT", "SERVERS", "WRAPPED", "FILE"),
                      Style::bold) +
      "\n");
  int code = kOk;
  for (const FoundSettings& one : found) {
    const std::string client(one.format == nullptr ? "other" : one.format->name);
    const std::string path = printable(short_path(one.path));
    if (!one.settings) {
      terminal.out(fmt::format("{:<15} {:>7} {:>7}  {}\n", client, "?", "?", path));
      code = std::max(code, terminal.report(one.settings.error()));
      continue;
    }
    const ServerCounts counts = count_servers(*one.settings);
    const std::string wrapped = fmt::format("{}/{}", counts.wrapped, counts.commands);
    terminal.out(fmt::format("{:<15} {:>7} {:>7}  {}\n", client, counts.all, wrapped, path));
  }
  return code;
}

Status check_usage(const ImportVerbOptions& options) {
  const WrapOptions& wrapping = options.wrapping;
  const auto usage = [](std::string message, std::string hint = {}) {
    return fail(ErrorCode::invalid_input, std::move(message), {}, std::move(hint));
  };
  if (int{options.list} + int{options.wrap} + int{wrapping.unwrap} > 1) {
    return usage("--list, --wrap and --unwrap exclude each other");
  }
  const bool changes_files = options.wrap || wrapping.unwrap;
  if (!changes_files && (wrapping.dry_run || wrapping.yes || !wrapping.program.empty())) {
    return usage("expected --wrap or --unwrap with --dry-run, --yes and --program");
  }
  if (changes_files && std::ranges::find(options.sources, "-") != options.sources.end()) {
    return usage("expected a file or a client with --wrap and --unwrap, found standard input");
  }
  return {};
}

int run_import(const ImportVerbOptions& options, Terminal& terminal) {
  if (const Status usable = check_usage(options); !usable) {
    return terminal.report_usage(usable.error());
  }
  const Result<std::vector<FoundSettings>> found = find_sources(options.sources);
  if (!found) return terminal.report(found.error());
  if (options.list) return list_clients(*found, options.wrapping.as_json, terminal);
  if (options.wrap || options.wrapping.unwrap) {
    return wrap_files(*found, options.wrapping, terminal);
  }
  if (found->empty()) {
    return terminal.report({ErrorCode::not_found,
                            "no settings file of a client was found",
                            {},
                            "pass the file: enfold import FILE"});
  }
  return import_all(*found, options, terminal);
}

void declare_import_options(Arguments& arguments, ImportVerbOptions& options) {
  arguments.positional("SOURCE", options.sources,
                       "Settings file of a client, - for standard input, or a client.\n"
                       "Default: all clients of this user, and of the current project");
  arguments.flag("--list", options.list,
                 "List the settings files that are found, and count wrapped servers");
  arguments.flag("--wrap", options.wrap,
                 "Put `enfold wrap --` before the command of every server, in the\n"
                 "settings of the clients themselves");
  arguments.flag("--unwrap", options.wrapping.unwrap, "Restore what --wrap changed");
  arguments.flag("--dry-run", options.wrapping.dry_run,
                 "With --wrap and --unwrap: show the changes and write nothing");
  arguments.flag("--yes", options.wrapping.yes, "With --wrap and --unwrap: do not ask");
  arguments.text("--program", "PATH", options.wrapping.program,
                 "With --wrap: the command to write, enfold or a path. Default:\n"
                 "enfold if this program is in /usr/bin or /usr/local/bin, the link\n"
                 "of npm if npm installed it, npx -y enfold if npx runs it, else its\n"
                 "path");
  arguments.flag("--json", options.wrapping.as_json,
                 "One JSON object: toml, notes; with --wrap and --unwrap: files;\n"
                 "with --list an array");
  std::vector<std::string> names = client_names();
  arguments.footer(
      fmt::format("Clients: {}.\n\n", fmt::join(names, ", ")) +
      "Prints a configuration for enfold serve --config. Secrets are not copied: the\n"
      "configuration refers to environment variables instead. What was changed or left out is\n"
      "listed on standard error.\n\n"
      "--wrap changes only the bytes of commands and arguments: comments, order and layout stay.\n"
      "It shows the difference, asks, and keeps a copy of each file in\n"
      "$XDG_STATE_HOME/enfold/clients. --unwrap restores the original bytes, or, if the file was\n"
      "edited since, the entries.\n\n"
      "Examples:\n"
      "  enfold import --list\n"
      "  enfold import --wrap claude-code\n"
      "  enfold import --unwrap --dry-run\n"
      "  enfold import ~/.cursor/mcp.json > enfold.toml\n"
      "  enfold import vscode > enfold.toml && enfold serve --config enfold.toml --check");
}

}  // namespace

Run set_up_import(Arguments& arguments) {
  return set_up(arguments, declare_import_options, run_import);
}

}  // namespace enfold::cli
