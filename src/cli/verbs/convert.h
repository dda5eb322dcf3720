// SPDX-License-Identifier: Apache-2.0
// Converts answers, for the verbs `convert` and `parse`.
#pragma once

#include "cli/input/input.h"

namespace enfold::cli {

struct ConvertOptions {
  InputOptions input;
  std::string to;
  std::string level;  ///< empty: the level of the levels file, else full
  std::string levels_file;
  std::string members = "strict";
  std::string report_file;
  bool extensions = true;
  bool mcp_result = false;
  bool pretty = false;
  bool lines = false;         ///< JSON Lines in and out
  bool only_generic = false;  ///< `parse`: a plain generic answer, without extension slot
};

/// --pretty, --jsonl and --json.
void declare_output_options(Arguments& arguments, ConvertOptions& options);

[[nodiscard]] int run_convert(const ConvertOptions& options, Terminal& terminal);

}  // namespace enfold::cli
