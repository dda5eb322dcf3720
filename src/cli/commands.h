// SPDX-License-Identifier: Apache-2.0
// What each verb was asked to do, and the functions that do it. main.cc fills these from the
// command line; one command_<verb>.cc each runs them.
#pragma once

#include "cli/terminal.h"
#include "enfold/base/limits.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::cli {

/// What all verbs that read answers share.
struct InputOptions {
  std::vector<std::string> files;  ///< empty or "-": standard input
  std::string from = "auto";
  std::string tool;
  bool strict = false;  ///< refuse what readers disagree on: repeated keys, lone surrogates
  bool redact = true;
  bool personal_data = false;
  Limits limits;
};

struct ConvertOptions {
  InputOptions input;
  std::string to = "response-v2";
  std::string level;  ///< empty: what the levels file says, else full
  std::string levels_file;
  std::string members = "strict";
  std::string report_file;
  bool extensions = true;
  bool mcp_result = false;
  bool pretty = false;
  bool lines = false;                ///< JSON Lines in and out
  bool honour_root_failure = false;  ///< `parse`: read as contract::parse_any does
};

struct ValidateOptions {
  InputOptions input;
  std::string contract = "auto";
  bool as_json = false;
};

struct ExplainOptions {
  InputOptions input;
  bool as_json = false;
};

struct TokensOptions {
  InputOptions input;
  std::string encoding;  ///< empty: the client's, else o200k_base
  std::string client;
  bool as_json = false;
};

[[nodiscard]] int run_contracts(bool as_json, Terminal& terminal);
[[nodiscard]] int run_schema(const std::string& name, Terminal& terminal);
[[nodiscard]] int run_validate(const ValidateOptions& options, Terminal& terminal);
[[nodiscard]] int run_convert(const ConvertOptions& options, Terminal& terminal);
[[nodiscard]] int run_parse(const ConvertOptions& options, Terminal& terminal);
[[nodiscard]] int run_explain(const ExplainOptions& options, Terminal& terminal);
[[nodiscard]] int run_tokens(const TokensOptions& options, Terminal& terminal);

}  // namespace enfold::cli
