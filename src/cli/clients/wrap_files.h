// SPDX-License-Identifier: Apache-2.0
// `enfold import --wrap` and `--unwrap`: shows what would change in the settings files of clients,
// asks, keeps copies and writes.
#pragma once

#include "cli/clients/find.h"
#include "cli/terminal/terminal.h"

#include <vector>

namespace enfold::cli {

struct WrapOptions {
  bool unwrap = false;   ///< --unwrap; false: --wrap
  bool dry_run = false;  ///< only show the changes
  bool yes = false;      ///< do not ask
  bool as_json = false;
  std::string program;  ///< the value of --program; empty: this program
};

/// Wraps or unwraps the servers in these files; returns the exit code.
[[nodiscard]] int wrap_files(const std::vector<FoundSettings>& files, const WrapOptions& options,
                             Terminal& terminal);

}  // namespace enfold::cli
