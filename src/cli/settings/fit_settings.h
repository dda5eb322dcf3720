// SPDX-License-Identifier: Apache-2.0
// Reads the options and files that decide how an answer is fitted.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/answer/fit/prepare.h"
#include "enfold/token/profile.h"

namespace enfold::cli {

/// What an answer may cost. A limit that is not set is that of the client; without a client there
/// is no limit of characters or lines, and apply_budget() chooses the tokens.
struct BudgetOptions {
  std::optional<std::size_t> tokens;
  std::optional<std::size_t> target;
  std::optional<std::size_t> characters;
  std::optional<std::size_t> lines;
  std::string client;       ///< name of a profile; empty: none
  std::string policy_file;  ///< empty: the default policy
};

/// `default_note` is appended to the help of --budget: what holds if it is not set.
void declare_budget_options(Arguments& arguments, BudgetOptions& options,
                            const std::string& default_note);

/// --to of the verbs that cut answers.
void declare_envelope_option(Arguments& arguments, std::string& to);

/// The profile of --client. The error suggests a name.
[[nodiscard]] Result<const token::Profile*> client_named(const std::string& name);

/// The contract to write. `auto`, `mcp`, `json` and `text` are errors: they have no member that
/// says what was left out.
[[nodiscard]] Result<contract::Id> contract_to_write(const std::string& name);

/// Sets budget, tokenizer and cost of media. `otherwise`: the token budget if neither a client nor
/// a number of tokens is set.
[[nodiscard]] Status apply_budget(const BudgetOptions& options, std::size_t otherwise,
                                  answer::FitSettings& settings);

/// An empty name is the default policy. Errors name the file.
[[nodiscard]] Result<budget::Policy> read_policy_file(const std::string& file);
[[nodiscard]] Result<budget::OutputSchema> read_schema_file(const std::string& file);

}  // namespace enfold::cli
