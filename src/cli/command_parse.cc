// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace enfold::cli {

// contract::parse_any inside the pipeline, which redacts first: converting to `generic` with the
// caller's word for the tool, where the root may say failure.
int run_parse(const ConvertOptions& options, Terminal& terminal) {
  ConvertOptions convert = options;
  convert.to = "generic";
  convert.honour_root_failure = true;
  return run_convert(convert, terminal);
}

}  // namespace enfold::cli
