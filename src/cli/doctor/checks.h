// SPDX-License-Identifier: Apache-2.0
// The checks of `enfold doctor`. None of them creates or changes a file.
#pragma once

#include "cli/clients/find.h"
#include "cli/doctor/report.h"
#include "enfold/client/options.h"

#include <string>
#include <vector>

namespace enfold::cli {

/// A server to start.
struct ServerToStart {
  std::string label;  ///< "files (Cursor)"
  std::string file;   ///< that configures it
  client::StdioTarget target;
  /// What shows its standard error, to type: variables as variables of the shell, no secrets.
  std::string look;
  bool of_project = false;  ///< configured by a file of the project, which may be of others
};

void check_program_itself(DoctorReport& report);
/// `place`: the value of --archive, or of a configuration; empty: the default archive.
void check_archive(const std::string& place, DoctorReport& report);
void check_limits(DoctorReport& report);
void check_kernel(DoctorReport& report);

/// Returns the servers that the clients would start.
[[nodiscard]] std::vector<ServerToStart> check_clients(const std::vector<FoundSettings>& found,
                                                       DoctorReport& report);
/// The same for the configuration of `enfold serve`. `is_trusted`: else its archive is not opened,
/// because a folder that was only downloaded must not choose what is opened.
[[nodiscard]] std::vector<ServerToStart> check_configuration(const std::string& file,
                                                             bool is_trusted, DoctorReport& report);

/// Removes the servers of projects, which must not start programs either.
void leave_out_project(std::vector<ServerToStart>& servers, DoctorReport& report);

/// Starts all servers side by side and ends them. `seconds`: for each of them to answer.
void check_servers(std::vector<ServerToStart> servers, std::size_t seconds, DoctorReport& report,
                   Terminal& terminal);

}  // namespace enfold::cli
