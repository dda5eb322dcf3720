// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/wrap_files.h"

#include "cli/clients/kept_copy.h"
#include "cli/clients/line_diff.h"
#include "cli/clients/own_command.h"
#include "cli/clients/replace_file.h"
#include "enfold/gateway/clients/hide_secrets.h"
#include "enfold/gateway/clients/wrap.h"
#include "enfold/redact/redact.h"

#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <optional>
#include <system_error>
#include <unistd.h>

namespace enfold::cli {
namespace {

namespace fs = std::filesystem;
using State = gateway::ServerChange::State;

// The change of one settings file, before and after it is written.
struct Plan {
  const FoundSettings* found = nullptr;
  gateway::SettingsChange change;
  FileContent was;               ///< the file as it was read; set if `changes()`
  std::optional<KeptCopy> copy;  ///< of the file; nullopt: there is no record of it
  std::optional<Error> error;    ///< why the file cannot be changed or was not written
  bool written = false;

  [[nodiscard]] bool changes() const { return !error && change.text != found->settings->text(); }
};

// The servers to record: those that the plan wraps, and those that --wrap has wrapped before and
// that still are wrapped.
std::vector<gateway::WrappedServer> wrapped_servers(const Plan& plan) {
  std::vector<gateway::WrappedServer> out = plan.change.wrapped();
  if (!plan.copy) return out;
  for (const gateway::WrappedServer& one : plan.copy->servers) {
    const gateway::ServerEntry* server = plan.found->settings->find(one.name, one.scope);
    const bool is_still_wrapped =
        server != nullptr && server->command && is_wrapped(*server->command);
    if (is_still_wrapped) out.push_back(one);
  }
  return out;
}

// Without a record it is unknown which servers --wrap has wrapped: then all servers are unwrapped.
Result<gateway::SettingsChange> unwrapped(const gateway::ClientSettings& settings,
                                          const std::optional<KeptCopy>& copy) {
  ENFOLD_TRY(gateway::SettingsChange out,
             gateway::unwrap_servers(settings, copy ? &copy->servers : nullptr));
  if (!copy || !copy->is_original_of(settings.text())) return out;
  // The copy may have wrapped servers too: if the user edited the file after a first --wrap, it was
  // made by the second. So its servers are unwrapped.
  ENFOLD_TRY(const gateway::ClientSettings original, settings.with_text(copy->original));
  ENFOLD_TRY(gateway::SettingsChange restored, gateway::unwrap_servers(original, &copy->servers));
  out.text = std::move(restored.text);
  return out;
}

// Finds the change and reads the file; the error is for `plan.error`.
Status fill_plan(Plan& plan, const WrapOptions& options, const std::vector<std::string>& program) {
  if (!plan.found->settings) return tl::unexpected(plan.found->settings.error());
  const gateway::ClientSettings& settings = *plan.found->settings;
  std::error_code ignored;
  plan.copy = find_copy(fs::weakly_canonical(plan.found->path, ignored));
  ENFOLD_TRY(plan.change, options.unwrap ? unwrapped(settings, plan.copy)
                                         : gateway::wrap_servers(settings, program));
  if (!plan.changes()) return {};
  ENFOLD_TRY(plan.was, read_replaceable(plan.found->path));
  if (plan.was.bytes == settings.text()) return {};
  return fail(ErrorCode::conflict, "another program changed the file meanwhile",
              plan.found->path.string(), "nothing was changed; run the command again");
}

std::vector<Plan> make_plans(const std::vector<FoundSettings>& files, const WrapOptions& options,
                             const std::vector<std::string>& program) {
  std::vector<Plan> out;
  for (const FoundSettings& found : files) {
    Plan plan{.found = &found};
    if (Status filled = fill_plan(plan, options, program); !filled) {
      plan.error = std::move(filled).error();
    }
    out.push_back(std::move(plan));
  }
  return out;
}

// The difference with secrets replaced: without_secret_words finds them in commands, by the flag
// before an argument; redact_text in all lines, by their form.
std::string diff_of(const Plan& plan) {
  const std::string path = short_path(plan.found->path);
  const gateway::ClientSettings& before = *plan.found->settings;
  const auto after = before.with_text(plan.change.text);
  const std::string diff =
      line_diff(gateway::without_secret_words(before),
                after ? gateway::without_secret_words(*after) : plan.change.text);
  return redact::redact_text(fmt::format("--- {}\n+++ {}\n{}", path, path, diff), {});
}

std::string title_of(const Plan& plan) {
  const std::string path = short_path(plan.found->path);
  if (plan.found->format == nullptr) return path;
  return fmt::format("{} ({})", plan.found->format->title, path);
}

std::string_view state_name(State state, bool unwrap) {
  switch (state) {
    case State::changed: return unwrap ? "unwrapped" : "wrapped";
    case State::unchanged: return unwrap ? "not wrapped" : "already wrapped";
    case State::left_out: break;
  }
  return "left out";
}

void print_servers(const Plan& plan, bool unwrap, Terminal& terminal) {
  std::size_t width = 0;
  for (const auto& server : plan.change.servers) width = std::max(width, server.name.size());
  for (const gateway::ServerChange& server : plan.change.servers) {
    std::string line =
        fmt::format("  {:<{}}  {}", server.name, width, state_name(server.state, unwrap));
    if (!server.why.empty()) line += ": " + server.why;
    if (!server.scope.empty()) line += fmt::format(" (in {})", short_path(server.scope));
    terminal.out(printable(line) + "\n");
  }
}

void print_diff(const Plan& plan, Terminal& terminal) {
  const std::string diff = diff_of(plan);
  for (std::string_view rest = diff; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    std::string line = printable(rest.substr(0, end - 1));
    rest.remove_prefix(end);
    const Style style = line.starts_with('-')   ? Style::red
                        : line.starts_with('+') ? Style::green
                                                : Style::plain;
    terminal.out(terminal.styled(line, style) + "\n");
  }
}

void print_plan(const Plan& plan, const WrapOptions& options, Terminal& terminal) {
  if (plan.error) {
    terminal.report(*plan.error);
    return;
  }
  if (plan.change.servers.empty()) return;
  terminal.out(terminal.styled(printable(title_of(plan)), Style::bold) + "\n");
  print_servers(plan, options.unwrap, terminal);
  if (plan.changes()) print_diff(plan, terminal);
}

// Asks the user on the terminal whether to write; false: no.
bool confirm(std::size_t files, Terminal& terminal) {
  terminal.flush();
  terminal.err(fmt::format("Write {}? [y/N] ", counted(files, "file")));
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

// Keeps the copy before the file is written, so that there is never a wrapped file without its
// copy.
Status write_wrapped(Plan& plan) {
  // If the file is still as --wrap wrote it, the old copy is the original.
  const bool is_known = plan.copy && plan.copy->is_original_of(plan.was.bytes);
  ENFOLD_TRY(KeptCopy kept,
             keep_copy(plan.was.path, plan.copy, is_known ? plan.copy->original : plan.was.bytes,
                       plan.change.text, wrapped_servers(plan)));
  if (Status done = replace_file(plan.was, plan.change.text); !done) {
    discard_copy(plan.was.path, kept, plan.copy);
    return done;
  }
  plan.copy = std::move(kept);
  return {};
}

Status write_unwrapped(Plan& plan) {
  ENFOLD_TRY(replace_file(plan.was, plan.change.text));
  if (!plan.copy) return {};
  const bool has_wrapped = plan.change.count(State::left_out) > 0;
  plan.copy = release_copy(plan.was.path, std::move(*plan.copy), plan.change.text, has_wrapped);
  return {};
}

void write_plans(std::vector<Plan>& plans, const WrapOptions& options, Terminal& terminal) {
  for (Plan& plan : plans) {
    if (!plan.changes()) continue;
    if (Status done = options.unwrap ? write_unwrapped(plan) : write_wrapped(plan); !done) {
      plan.error = std::move(done).error();
      if (!options.as_json) terminal.report(*plan.error);
      continue;
    }
    plan.written = true;
    if (options.as_json) continue;
    terminal.out(fmt::format("wrote {}\n", printable(short_path(plan.found->path))));
    if (!plan.copy || plan.copy->file.empty()) continue;
    const std::string_view what = options.unwrap
                                      ? "it was edited since --wrap; the copy from before is left:"
                                      : "a copy of the original is";
    terminal.out(fmt::format("  {} {}\n", what, printable(short_path(plan.copy->file))));
  }
}

void write_error(const Error& error, json::Writer& writer) {
  writer.key("error").begin_object().member("message", error.message);
  writer.member("where", error.where).member("hint", error.hint).end_object();
}

void print_json(const std::vector<Plan>& plans, const WrapOptions& options, Terminal& terminal) {
  json::Writer writer;
  writer.begin_object().key("files").begin_array();
  for (const Plan& plan : plans) {
    writer.begin_object();
    if (plan.found->format != nullptr) writer.member("client", plan.found->format->name);
    writer.member("file", plan.found->path.string()).key("servers").begin_array();
    for (const gateway::ServerChange& server : plan.change.servers) {
      writer.begin_object().member("name", server.name);
      if (!server.scope.empty()) writer.member("project", server.scope);
      writer.member("state", state_name(server.state, options.unwrap));
      if (!server.why.empty()) writer.member("why", server.why);
      writer.end_object();
    }
    writer.end_array();
    if (plan.changes()) writer.member("diff", diff_of(plan));
    writer.member("written", plan.written);
    const bool has_copy = plan.written && plan.copy && !plan.copy->file.empty();
    if (has_copy) writer.member("copy", plan.copy->file.string());
    if (plan.error) write_error(*plan.error, writer);
    writer.end_object();
  }
  writer.end_array().end_object();
  terminal.out_line(std::move(writer).finish());
}

int exit_code(const std::vector<Plan>& plans) {
  int code = kOk;
  for (const Plan& plan : plans) {
    if (plan.error) code = std::max(code, exit_code_of(*plan.error));
  }
  return code;
}

// Warns about files of a project that get an absolute path: other users of the project have the
// program elsewhere.
void warn_about_project(const std::vector<Plan>& plans, const std::string& program,
                        Terminal& terminal) {
  if (!program.starts_with('/')) return;
  for (const Plan& plan : plans) {
    if (!plan.found->of_project || !plan.changes()) continue;
    terminal.warn(fmt::format("{} is a file of the project and gets the path {}",
                              short_path(plan.found->path), program),
                  "--program enfold writes only the name; each user then needs enfold in PATH");
  }
}

// Says why there is nothing to write, unless an error has said it.
void print_nothing(const std::vector<Plan>& plans, const WrapOptions& options, Terminal& terminal) {
  if (std::ranges::any_of(plans, [](const Plan& plan) { return plan.error.has_value(); })) return;
  const bool any_left_out = std::ranges::any_of(
      plans, [](const Plan& plan) { return plan.change.count(State::left_out) > 0; });
  terminal.out(plans.empty()     ? "nothing to do: no client has a file with servers here\n"
               : !options.unwrap ? "nothing to do: every server that can be wrapped is wrapped\n"
               : any_left_out    ? "nothing to do: no server is wrapped by `enfold import --wrap`\n"
                                 : "nothing to do: no server is wrapped\n");
}

}  // namespace

int wrap_files(const std::vector<FoundSettings>& files, const WrapOptions& options,
               Terminal& terminal) {
  const bool asks = !options.yes && !options.dry_run;
  if (asks && (options.as_json || ::isatty(STDIN_FILENO) != 1)) {
    return terminal.report_usage({ErrorCode::invalid_input,
                                  "expected --yes or --dry-run, found no terminal to ask on",
                                  {},
                                  "--dry-run shows the changes, --yes writes them"});
  }
  Result<std::vector<std::string>> program = command_to_write(options.program);
  if (!program && !options.unwrap) return terminal.report_usage(program.error());
  std::vector<Plan> plans =
      make_plans(files, options, program.value_or(std::vector<std::string>()));
  if (!options.unwrap) warn_about_project(plans, program->front(), terminal);
  if (!options.as_json) {
    for (const Plan& plan : plans) print_plan(plan, options, terminal);
  }
  const auto count = static_cast<std::size_t>(std::ranges::count_if(plans, &Plan::changes));
  bool declined = false;
  if (count == 0) {
    if (!options.as_json) print_nothing(plans, options, terminal);
  } else if (!options.dry_run) {
    declined = asks && !confirm(count, terminal);
    if (declined) {
      terminal.out("nothing was written\n");
    } else {
      write_plans(plans, options, terminal);
      const bool any = std::ranges::any_of(plans, &Plan::written);
      if (any && !options.as_json) terminal.out("Restart the clients, so that they read it.\n");
    }
  }
  if (options.as_json) print_json(plans, options, terminal);
  const int code = exit_code(plans);
  return declined ? std::max<int>(kNegative, code) : code;
}

}  // namespace enfold::cli
