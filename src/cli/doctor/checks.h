// SPDX-License-Identifier: Apache-2.0
// The checks of `enfold doctor`. None of them creates or changes a file.
#pragma once

#include "cli/clients/find.h"
#include "cli/doctor/report.h"
#include "enfold/client/options.h"

#include <string>
#include <vector>

namespace enfold::cli {

struct ServerToStart {
  std::string label;  ///< "files (Cursor)"
  std::string file;   ///< the settings or configuration that has the server
  client::StdioTarget target;
  /// The command for the user to type that shows the server's standard error. Variables are written
  /// as variables of the shell, secrets are left out.
  std::string log_command;
  /// Configured by a file of the current project, which another user may have written.
  bool of_project = false;
};

// Each check adds its findings to `report`.

/// The version of this program, and whether PATH finds it.
void check_program_itself(DoctorReport& report);
/// `place`: the value of --archive, or of a configuration; empty: the default archive.
void check_archive(const std::string& place, DoctorReport& report);
void check_open_file_limit(DoctorReport& report);
/// The features of Linux that Enfold needs.
void check_kernel(DoctorReport& report);

/// Checks the settings files of the clients; returns the servers that the clients would start.
[[nodiscard]] std::vector<ServerToStart> check_clients(const std::vector<FoundSettings>& found,
                                                       DoctorReport& report);
/// Checks the configuration of `enfold serve`; returns the servers that it would start.
/// `is_trusted` false: the file may have been downloaded with a project, so the archive that it
/// names is not opened.
[[nodiscard]] std::vector<ServerToStart> check_configuration(const std::string& file,
                                                             bool is_trusted, DoctorReport& report);

/// Removes the servers that files of the project configure: without the user's consent a project
/// must not start programs.
void leave_out_project(std::vector<ServerToStart>& servers, DoctorReport& report);

/// Starts the servers, several at a time, waits for their first answers and ends them. `seconds`:
/// the timeout of each.
void check_servers(std::vector<ServerToStart> servers, std::size_t seconds, DoctorReport& report,
                   Terminal& terminal);

}  // namespace enfold::cli
