// SPDX-License-Identifier: Apache-2.0
// `enfold import --wrap` and `--unwrap`: shows what would change in the settings files of clients,
// asks, keeps copies and writes.
#pragma once

#include "cli/clients/find.h"
#include "cli/terminal/terminal.h"

#include <vector>

namespace enfold::cli {

struct WrapOptions {
  bool unwrap = false;
  bool dry_run = false;  ///< only show the changes
  bool yes = false;      ///< do not ask
  bool as_json = false;
  std::string program;  ///< the command to write; empty: this program
};

/// Returns the exit code.
[[nodiscard]] int wrap_files(const std::vector<FoundSettings>& files, const WrapOptions& options,
                             Terminal& terminal);

/// The command that starts this program from any client: "enfold" if it is the first of that name
/// in PATH, in a folder that is in the PATH of every session, such as /usr/bin; else its path.
[[nodiscard]] std::string own_command();

/// The first enfold in PATH; empty: there is none.
[[nodiscard]] std::filesystem::path program_in_path();

}  // namespace enfold::cli
