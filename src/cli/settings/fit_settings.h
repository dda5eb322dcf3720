// SPDX-License-Identifier: Apache-2.0
// What options and files say about fitting, as settings of the pipeline.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/answer/fit/prepare.h"
#include "enfold/token/profile.h"

namespace enfold::cli {

/// What an answer may cost. Whatever is not said is the client's; without a client only what is
/// said binds.
struct BudgetOptions {
  std::optional<std::size_t> tokens;
  std::optional<std::size_t> characters;
  std::optional<std::size_t> lines;
  std::string client;
  std::string policy_file;
};

/// `usual` is added to the help of --budget: what it is when it is not given.
void accept_budget(Arguments& arguments, BudgetOptions& options, const std::string& usual);

/// --to of the verbs that may leave something out.
void accept_contract_with_room(Arguments& arguments, std::string& to);

/// The error suggests a name.
[[nodiscard]] Result<const token::Profile*> client_named(const std::string& name);

/// The contract to write: one that can say what is missing, which `auto`, `mcp`, `json` and `text`
/// are not.
[[nodiscard]] Result<contract::Id> contract_to_write(const std::string& name);

/// Budget, tokenizer and price of media. Without a client and a number of tokens `otherwise`.
[[nodiscard]] Status apply_budget(const BudgetOptions& options, std::size_t otherwise,
                                  answer::FitSettings& settings);

/// An empty name is the default policy. Errors name the file.
[[nodiscard]] Result<budget::Policy> read_policy_file(const std::string& file);
[[nodiscard]] Result<budget::OutputSchema> read_schema_file(const std::string& file);

}  // namespace enfold::cli
