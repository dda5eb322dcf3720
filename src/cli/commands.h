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

/// What an answer may cost. Whatever is not said is the client's; without a client only what is
/// said binds.
struct BudgetOptions {
  std::optional<std::size_t> tokens;
  std::optional<std::size_t> characters;
  std::optional<std::size_t> lines;
  std::string client;
  std::string policy_file;
};

struct FitOptions {
  InputOptions input;
  BudgetOptions budget;
  std::string schema_file;
  std::string archive;  ///< empty: the user's own
  std::string to = "response-v2";
  bool require_archive = false;  ///< fail rather than show whole what could not be archived
  bool mcp_result = false;
  bool explain = false;
  bool as_json = false;  ///< of the explanation
};

struct FetchOptions {
  std::string reference;  ///< handle or hash
  std::vector<std::string> ids;
  std::optional<std::string> pointer;
  std::optional<std::string> range;
  std::optional<std::string> lines;
  std::optional<std::string> characters;
  std::optional<std::string> find;
  std::optional<std::string> where;
  bool stat = false;
  bool raw = false;
  std::string cursor;
  std::size_t page_size = 100;
  BudgetOptions budget;
  std::string archive;
  std::string to = "response-v2";
};

struct ArchiveOptions {
  std::string action;   ///< ls, stats, gc or verify
  std::string archive;  ///< empty: the user's own
  std::string tool;
  std::size_t limit = 100;
  bool as_json = false;
};

[[nodiscard]] int run_contracts(bool as_json, Terminal& terminal);
[[nodiscard]] int run_schema(const std::string& name, Terminal& terminal);
[[nodiscard]] int run_validate(const ValidateOptions& options, Terminal& terminal);
[[nodiscard]] int run_convert(const ConvertOptions& options, Terminal& terminal);
[[nodiscard]] int run_parse(const ConvertOptions& options, Terminal& terminal);
[[nodiscard]] int run_explain(const ExplainOptions& options, Terminal& terminal);
[[nodiscard]] int run_tokens(const TokensOptions& options, Terminal& terminal);
[[nodiscard]] int run_fit(const FitOptions& options, Terminal& terminal);
[[nodiscard]] int run_fetch(const FetchOptions& options, Terminal& terminal);
[[nodiscard]] int run_archive(const ArchiveOptions& options, Terminal& terminal);

}  // namespace enfold::cli
