// SPDX-License-Identifier: Apache-2.0
// Reads answers from files and standard input, up to a limit.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/answer/shape.h"

#include <functional>
#include <string>

namespace enfold::cli {

/// Options of all verbs that read answers.
struct InputOptions {
  std::vector<std::string> files;  ///< empty or "-": standard input
  std::string from = "auto";
  std::string tool;
  bool strict = false;  ///< refuse what readers disagree on: repeated keys, lone surrogates
  bool redact = true;
  bool personal_data = false;
  Limits limits;
  // Which options the verb has, for hints.
  bool has_from = false;
  bool has_lines = false;  ///< --jsonl
};

void accept_files(Arguments& arguments, InputOptions& options);
void accept_max_bytes(Arguments& arguments, InputOptions& options);
/// --strict and --max-bytes.
void accept_limits(Arguments& arguments, InputOptions& options);
/// Files, their contract, the tool and the limits.
void accept_input(Arguments& arguments, InputOptions& options);
void accept_redaction(Arguments& arguments, InputOptions& options);

/// The whole file. Fails at the limit, so that an endless input ends too.
[[nodiscard]] Result<json::Buffer> read_all(const std::string& file, const Limits& limits);

/// Calls `each` with every line, without its line end, until it returns false. A line beyond the
/// limit is an error for that line only, unless it is far longer than the limit.
[[nodiscard]] Status read_lines(const std::string& file, const Limits& limits,
                                const std::function<bool(Result<json::Buffer>)>& each);

/// The files to read: "-" when none were named.
[[nodiscard]] std::vector<std::string> sources(const InputOptions& options);

/// The name of a source, a file or `file:line`, in messages.
[[nodiscard]] std::string display_name(const std::string& source);

/// The contract that an option names; nullopt for `auto`.
[[nodiscard]] Result<std::optional<contract::Id>> contract_named(const std::string& name,
                                                                 const char* option);

/// Whether a document can be in the contract that --from names. Without this check, a document
/// that has none of its members would be read as an empty answer.
[[nodiscard]] Status check_contract(json::View document, std::optional<contract::Id> from);

/// UTF-8, as text that is not JSON must be.
[[nodiscard]] Status check_text(std::string_view bytes);

/// Parses within the limits. What readers disagree on is refused only with --strict.
[[nodiscard]] Result<json::Document> read_json(json::Buffer bytes, const InputOptions& options);

struct Answer {
  answer::ReadAnswer understood;
  std::vector<model::Warning> oddities;  ///< of the JSON text; also among the answer's warnings
};

/// Reads and understands one answer. `settings` are those of the pipeline.
[[nodiscard]] Result<Answer> read_answer(json::Buffer bytes, const InputOptions& options,
                                         const answer::ShapeSettings& settings);

/// The pipeline settings that InputOptions decide.
[[nodiscard]] answer::ShapeSettings settings_of(const InputOptions& options);

}  // namespace enfold::cli
