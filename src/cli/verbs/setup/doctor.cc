// SPDX-License-Identifier: Apache-2.0
// `enfold doctor`: checks the program, its archive, the system, and the servers of the clients.
#include "cli/doctor/checks.h"
#include "cli/verbs/verbs.h"

#include <system_error>

namespace enfold::cli {
namespace {

struct DoctorOptions {
  std::string archive;          ///< empty: the default archive
  std::string config;           ///< empty: enfold.toml, if it exists
  std::size_t timeout = 30;     ///< seconds for a server to answer
  bool start = true;            ///< start the servers
  bool trusts_project = false;  ///< also start servers that files of the project configure
  bool as_json = false;
};

int run_doctor(const DoctorOptions& options, Terminal& terminal) {
  DoctorReport report;
  check_program_itself(report);
  check_archive(options.archive, report);
  check_open_file_limit(report);
  check_kernel(report);
  std::vector<ServerToStart> servers = check_clients(find_settings(), report);
  std::error_code ignored;
  // A file that was only found may be of a project that the user does not trust.
  const bool is_found = options.config.empty() && std::filesystem::exists("enfold.toml", ignored);
  const std::string config = is_found ? "enfold.toml" : options.config;
  if (!config.empty()) {
    for (ServerToStart& server :
         check_configuration(config, !is_found || options.trusts_project, report)) {
      server.of_project = is_found;
      servers.push_back(std::move(server));
    }
  }
  if (options.start) {
    if (!options.trusts_project) leave_out_project(servers, report);
    check_servers(std::move(servers), options.timeout, report, terminal);
  }
  options.as_json ? report.print_json(terminal) : report.print(terminal);
  return report.problems() == 0 ? kOk : kNegative;
}

void declare_doctor_options(Arguments& arguments, DoctorOptions& options) {
  arguments.text("--archive", "PLACE", options.archive,
                 "Archive to check: a file, or redis://HOST. Default: as for\n"
                 "the other verbs");
  arguments.text("--config", "FILE", options.config,
                 "Configuration of enfold serve to check. Default: enfold.toml,\n"
                 "if there is one");
  arguments.flag("--no-start", options.start, "Do not start the servers of the clients", false);
  arguments.flag("--project", options.trusts_project,
                 "Also start the servers that files of the current project\n"
                 "configure, and check the archive that its enfold.toml names;\n"
                 "only in a project that you trust");
  arguments.number("--timeout", options.timeout, {"a number of seconds", 1, 3600},
                   "Seconds for a server to start and answer");
  arguments.flag("--json", options.as_json, "One JSON object: problems, findings");
  arguments.footer(
      "Checks the program, the archive (opens, can be written, space, modes), limits, features of\n"
      "the kernel, the settings files of MCP clients, and the configuration. Starts each server\n"
      "that a client would start, eight at a time, waits for its first answer, and ends it. "
      "Servers\n"
      "that only a file of the project configures are started only with --project. No file is\n"
      "changed. Every problem comes with what to type; a note is no problem.\n"
      "Exit code 2: problems were found.\n\n"
      "Examples:\n"
      "  enfold doctor\n"
      "  enfold doctor --no-start --json\n"
      "  enfold doctor --config enfold.toml --timeout 60");
}

}  // namespace

Run set_up_doctor(Arguments& arguments) {
  return set_up(arguments, declare_doctor_options, run_doctor);
}

}  // namespace enfold::cli
