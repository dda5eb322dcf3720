// SPDX-License-Identifier: Apache-2.0
// Reads the options and files that decide how an answer is fitted.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/answer/fit/prepare.h"
#include "enfold/token/profile.h"

namespace enfold::cli {

/// What an answer may cost. A limit (tokens, characters, lines) that is not set is that of the
/// client; without a client there is no limit of characters or lines, and apply_budget() sets the
/// tokens.
struct BudgetOptions {
  std::optional<std::size_t> tokens;
  /// Tokens to which an answer is cut if it is over a limit. Not set: `tokens`, else the default
  /// (4,000) with a client, or the token budget without one.
  std::optional<std::size_t> target;
  std::optional<std::size_t> characters;
  std::optional<std::size_t> lines;
  std::string client;       ///< name of a profile; empty: none
  std::string policy_file;  ///< what is cut first (budget::Policy), as JSON; empty: the default
};

/// `default_note` is appended to the help of --budget: what applies if the option is not used.
void declare_budget_options(Arguments& arguments, BudgetOptions& options,
                            const std::string& default_note);

/// Declares --to for a verb that cuts answers.
void declare_envelope_option(Arguments& arguments, std::string& to);

/// The profile with this name, the value of --client. The error suggests a known name.
[[nodiscard]] Result<const token::Profile*> client_named(const std::string& name);

/// The contract with this name, the value of --to. `mcp`, `json` and `text` are errors: they have
/// no member that says what was left out. So is `auto`, which names no contract.
[[nodiscard]] Result<contract::Id> contract_to_write(const std::string& name);

/// Sets budget, tokenizer and cost of media. `otherwise`: the token budget if neither a client nor
/// a number of tokens is set.
[[nodiscard]] Status apply_budget(const BudgetOptions& options, std::size_t otherwise,
                                  answer::FitSettings& settings);

/// What is cut first, from the file of --policy; the default policy if `file` is empty. Errors name
/// the file.
[[nodiscard]] Result<budget::Policy> read_policy_file(const std::string& file);
/// The output schema of the tool, from the file of --schema, which must not be empty. Errors name
/// the file.
[[nodiscard]] Result<budget::OutputSchema> read_schema_file(const std::string& file);

}  // namespace enfold::cli
