// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace enfold::cli {

// Parsing is converting to `generic` with the caller's word for the tool: the root may say failure.
int run_parse(const ConvertOptions& options, Terminal& terminal) {
  ConvertOptions convert = options;
  convert.to = "generic";
  convert.extensions = false;
  convert.honour_root_failure = true;
  return run_convert(convert, terminal);
}

}  // namespace enfold::cli
