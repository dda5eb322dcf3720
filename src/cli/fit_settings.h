// SPDX-License-Identifier: Apache-2.0
// What options and files say about fitting, as settings of the pipeline.
#pragma once

#include "cli/commands.h"
#include "enfold/pipeline/prepare.h"
#include "enfold/token/profile.h"

namespace enfold::cli {

/// The error suggests a name.
[[nodiscard]] Result<const token::Profile*> client_named(const std::string& name);

/// The contract to write: one that can say what is missing, which `auto`, `mcp`, `json` and `text`
/// are not.
[[nodiscard]] Result<contract::Id> contract_to_write(const std::string& name);

/// Budget, tokenizer and price of media. Without a client and a number of tokens `otherwise`.
[[nodiscard]] Status apply_budget(const BudgetOptions& options, std::size_t otherwise,
                                  pipeline::FitSettings& settings);

/// An empty name is the default policy. Errors name the file.
[[nodiscard]] Result<budget::Policy> read_policy_file(const std::string& file);
[[nodiscard]] Result<budget::OutputSchema> read_schema_file(const std::string& file);

}  // namespace enfold::cli
