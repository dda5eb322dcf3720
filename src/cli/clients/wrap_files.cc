// SPDX-License-Identifier: Apache-2.0
#include "cli/clients/wrap_files.h"

#include "cli/clients/kept_copy.h"
#include "cli/clients/line_diff.h"
#include "cli/clients/replace_file.h"
#include "enfold/base/hash.h"
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

// What would be written to one file.
struct Plan {
  const FoundSettings* found = nullptr;
  gateway::SettingsChange change;
  FileContent was;
  std::string original;  ///< to keep: the text without wrapped servers
  std::optional<KeptCopy> copy;
  std::optional<Error> error;
  bool written = false;

  [[nodiscard]] bool changes() const { return !error && change.count(State::changed) > 0; }
};

// The settings in a kept copy; nullopt: there is none, or it was damaged.
std::optional<gateway::ClientSettings> original_settings(const Plan& plan) {
  if (!plan.copy) return std::nullopt;
  auto read = gateway::ClientSettings::read(plan.copy->original, "the copy", plan.found->format);
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

Result<gateway::SettingsChange> unwrapped(const Plan& plan) {
  const auto original = original_settings(plan);
  return gateway::unwrap_servers(*plan.found->settings, original ? &*original : nullptr);
}

Status fill_plan(Plan& plan, const WrapOptions& options, const std::string& program) {
  if (!plan.found->settings) return tl::unexpected(plan.found->settings.error());
  const gateway::ClientSettings& settings = *plan.found->settings;
  std::error_code ignored;
  plan.copy = find_copy(fs::weakly_canonical(plan.found->path, ignored));
  if (options.unwrap) {
    ENFOLD_TRY(plan.change, unwrapped(plan));
    const bool is_unedited = plan.copy && plan.copy->wrapped_hash == sha256_name(settings.text());
    if (is_unedited && plan.change.count(State::changed) > 0) {
      plan.change.text = plan.copy->original;
    }
  } else {
    ENFOLD_TRY(plan.change, gateway::wrap_servers(settings, program));
    ENFOLD_TRY(gateway::SettingsChange plain, unwrapped(plan));
    plan.original = std::move(plain.text);
  }
  if (plan.change.count(State::changed) == 0) return {};
  ENFOLD_TRY(plan.was, read_replaceable(plan.found->path));
  if (plan.was.bytes == settings.text()) return {};
  return fail(ErrorCode::conflict, "another program changed the file meanwhile",
              plan.found->path.string(), "nothing was changed; run the command again");
}

std::vector<Plan> make_plans(const std::vector<FoundSettings>& files, const WrapOptions& options) {
  const std::string program = options.program.empty() ? own_command() : options.program;
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

std::string diff_of(const Plan& plan) {
  const std::string path = short_path(plan.found->path);
  const std::string diff = line_diff(plan.found->settings->text(), plan.change.text);
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
  std::string_view rest = "";
  const std::string diff = diff_of(plan);
  for (rest = diff; !rest.empty();) {
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

// Asks on the terminal; true: write.
bool confirm(std::size_t files, Terminal& terminal) {
  terminal.flush();
  terminal.err(fmt::format("Write {}? [y/N] ", counted(files, "file")));
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

Status write(Plan& plan, const WrapOptions& options) {
  if (!options.unwrap) {
    // Kept first, so that there is never a wrapped file without its copy.
    ENFOLD_TRY(const fs::path file, keep_copy(plan.was.path, plan.original, plan.change.text));
    plan.copy = KeptCopy{.file = file};
  }
  ENFOLD_TRY(replace_file(plan.was, plan.change.text));
  plan.written = true;
  if (options.unwrap && plan.copy) remove_copy(*plan.copy);
  return {};
}

void write_plans(std::vector<Plan>& plans, const WrapOptions& options, Terminal& terminal) {
  for (Plan& plan : plans) {
    if (!plan.changes()) continue;
    if (Status done = write(plan, options); !done) {
      plan.error = std::move(done).error();
      if (!options.as_json) terminal.report(*plan.error);
      continue;
    }
    if (options.as_json) continue;
    terminal.out(fmt::format("wrote {}\n", printable(short_path(plan.found->path))));
    if (!options.unwrap) {
      terminal.out(
          fmt::format("  a copy of the original is {}\n", printable(short_path(plan.copy->file))));
    }
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
    if (plan.written && !options.unwrap) writer.member("copy", plan.copy->file.string());
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

void print_nothing(const std::vector<Plan>& plans, const WrapOptions& options, Terminal& terminal) {
  if (std::ranges::any_of(plans, [](const Plan& plan) { return plan.error.has_value(); })) return;
  terminal.out(options.unwrap ? "nothing to do: no server is wrapped\n"
                              : "nothing to do: every server that can be wrapped is wrapped\n");
}

}  // namespace

std::filesystem::path program_in_path() {
  const std::string path = environment_variable("PATH");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    fs::path candidate = fs::path(path.substr(at, end - at)) / "enfold";
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    at = end + 1;
  }
  return {};
}

std::string own_command() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path found = program_in_path();
  // A client that a desktop starts does not have what a shell adds to PATH.
  const fs::path folder = found.parent_path();
  const bool is_everywhere = folder == "/usr/local/bin" || folder == "/usr/bin" || folder == "/bin";
  return is_everywhere && fs::equivalent(found, self, ignored) ? "enfold" : self.string();
}

int wrap_files(const std::vector<FoundSettings>& files, const WrapOptions& options,
               Terminal& terminal) {
  const bool asks = !options.yes && !options.dry_run;
  if (asks && (options.as_json || ::isatty(STDIN_FILENO) != 1)) {
    return terminal.report_usage({ErrorCode::invalid_input,
                                  "expected --yes or --dry-run, found no terminal to ask on",
                                  {},
                                  "--dry-run shows the changes, --yes writes them"});
  }
  std::vector<Plan> plans = make_plans(files, options);
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
  return std::max(exit_code(plans), declined ? static_cast<int>(kNegative) : exit_code(plans));
}

}  // namespace enfold::cli
