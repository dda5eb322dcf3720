// SPDX-License-Identifier: Apache-2.0
#include "cli/settings/fit_settings.h"

#include "cli/input/input.h"
#include "enfold/base/text.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace enfold::cli {
namespace {

// Reads a JSON file that an option such as --policy names.
Result<json::Document> read_settings_file(const std::string& file) {
  ENFOLD_TRY(json::Buffer bytes, read_all(file, Limits{}));
  return json::parse(std::move(bytes));
}

// Adds the name of the file to an error.
template <class T>
Result<T> with_file_name(const std::string& file, Result<T> result) {
  if (result) return result;
  Error error = result.error();
  error.where = file + (error.where.empty() ? "" : ", " + error.where);
  return tl::unexpected(std::move(error));
}

}  // namespace

void declare_budget_options(Arguments& arguments, BudgetOptions& options,
                            const std::string& default_note) {
  constexpr std::size_t kMost = 1'000'000'000;
  arguments.number("--budget", options.tokens,
                   {"a number of tokens", budget::kSmallestBudget, kMost},
                   "Maximum tokens, at least 128" + default_note);
  arguments.number("--target", options.target,
                   {"a number of tokens", budget::kSmallestBudget, kMost},
                   "Tokens to which an answer over the budget is cut. Default: --budget,\n"
                   "or with --client 4000");
  arguments.number("--max-chars", options.characters, {"a number of characters", 512, kMost},
                   "Maximum characters, at least 512");
  arguments.number("--max-lines", options.lines, {"a number of lines", 1, kMost},
                   "Maximum lines, as a client counts them: the envelope is one, content\n"
                   "blocks beside it have their own");
  arguments.text("--client", "NAME", options.client,
                 "Use the tokenizer and limits of openai, claude, claude-code, opencode,\n"
                 "gemini, codex, copilot, vscode, cursor, sdk or generic; the options\n"
                 "above override its limits");
  arguments.text("--policy", "FILE", options.policy_file,
                 "What to keep, drop and order by; see docs/reference/fitting.md");
}

void declare_envelope_option(Arguments& arguments, std::string& to) {
  arguments.text("--to", "NAME", to,
                 "Contract to write: response-v2, response-v1, generic, scalpel-v1 or\nmemory");
}

Result<const token::Profile*> client_named(const std::string& name) {
  if (const auto profile = token::find_profile(name)) return *profile;
  std::vector<std::string> known;
  for (const token::Profile& one : token::profiles()) known.emplace_back(one.name);
  return fail(ErrorCode::invalid_input,
              fmt::format("expected the name of a client profile, found \"{}\"", name), "--client",
              did_you_mean(name, known, fmt::format("choose one of {}", fmt::join(known, ", "))));
}

Result<contract::Id> contract_to_write(const std::string& name) {
  ENFOLD_TRY(const std::optional<contract::Id> id, contract_named(name, "--to"));
  if (id && contract::is_envelope(*id)) return *id;
  return fail(
      ErrorCode::invalid_input,
      fmt::format("expected a contract with room for what was left out, found \"{}\"", name),
      "--to", "choose response-v2, response-v1, generic, scalpel-v1 or memory");
}

Status apply_budget(const BudgetOptions& options, std::size_t otherwise,
                    answer::FitSettings& settings) {
  answer::BudgetChoice choice{.tokens = options.tokens,
                              .target = options.target,
                              .characters = options.characters,
                              .lines = options.lines};
  if (!options.client.empty()) {
    ENFOLD_TRY(choice.profile, client_named(options.client));
  }
  answer::apply_budget(choice, otherwise, settings);
  return {};
}

Result<budget::Policy> read_policy_file(const std::string& file) {
  if (file.empty()) return budget::Policy{};
  ENFOLD_TRY(const json::Document document, with_file_name(file, read_settings_file(file)));
  return with_file_name(file, budget::read_policy(document.root()));
}

Result<budget::OutputSchema> read_schema_file(const std::string& file) {
  ENFOLD_TRY(const json::Document document, with_file_name(file, read_settings_file(file)));
  return with_file_name(file, budget::OutputSchema::compile(document.value()));
}

}  // namespace enfold::cli
