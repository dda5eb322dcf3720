// SPDX-License-Identifier: Apache-2.0
// Reads answers from files and standard input, up to a limit, and checks them against schemas.
#pragma once

#include "cli/input/arguments.h"
#include "enfold/answer/shape.h"
#include "enfold/contract/contract.h"
#include "enfold/schema/schema.h"

#include <functional>
#include <string>
#include <unistd.h>
#include <utility>

namespace enfold::cli {

/// Options of all verbs that read answers.
struct InputOptions {
  std::vector<std::string> files;  ///< empty or "-": standard input
  std::string from = "auto";       ///< name of a contract; auto: it is detected
  std::string tool;                ///< the tool that answered; may be empty
  /// Refuse what JSON readers read differently: repeated keys, lone surrogates, objects of very
  /// many members.
  bool strict = false;
  bool redact = true;          ///< replace credentials
  bool personal_data = false;  ///< replace personal data too
  Limits limits;
  // Which options the verb has: a hint names only options of the verb.
  bool has_from = false;   ///< the verb has --from
  bool has_jsonl = false;  ///< the verb has --jsonl
};

void declare_file_options(Arguments& arguments, InputOptions& options);
void declare_max_bytes_options(Arguments& arguments, InputOptions& options);
/// --strict and --max-bytes.
void declare_limit_options(Arguments& arguments, InputOptions& options);
/// Files, their contract, the tool and the limits.
void declare_input_options(Arguments& arguments, InputOptions& options);
void declare_redaction_options(Arguments& arguments, InputOptions& options);

/// The bytes of the file, or of standard input for "-". Fails as soon as they are more than the
/// limit, so that reading an endless input ends too.
[[nodiscard]] Result<json::Buffer> read_all(const std::string& file, const Limits& limits);

/// Calls `each` with every line, empty ones too, without its line end, until `each` returns false.
/// A line of more than Limits::max_bytes is passed to `each` as an error; one of more than 16 times
/// that number is an error of read_lines() itself.
[[nodiscard]] Status read_lines(const std::string& file, const Limits& limits,
                                const std::function<bool(Result<json::Buffer>)>& each);

/// The files to read: "-" when none were named.
[[nodiscard]] std::vector<std::string> sources(const InputOptions& options);

/// Calls `each` for every source while standard output can be written, and reports the errors that
/// `each` returns; its value is an exit code. Returns the highest exit code.
[[nodiscard]] int for_each_source(const InputOptions& options, Terminal& terminal,
                                  const std::function<Result<int>(const std::string& file)>& each);

/// The name of a source, a file or `file:line`, in messages.
[[nodiscard]] std::string display_name(const std::string& source);

/// The contract with this name; nullopt for `auto`. `option`: where an error is: "--from".
[[nodiscard]] Result<std::optional<contract::Id>> contract_named(const std::string& name,
                                                                 const char* option);

/// The set of members with this name, the value of --members.
[[nodiscard]] Result<contract::Members> members_named(const std::string& name);

/// Fails if the document cannot be in the contract that --from names; nullopt: accepts any
/// document. Without this check, a document with none of the contract's members would be read as an
/// empty answer.
[[nodiscard]] Status check_contract(json::View document, std::optional<contract::Id> from);

/// Fails unless the bytes are UTF-8, as text that is not JSON must be.
[[nodiscard]] Status check_text(std::string_view bytes);

/// Parses within the limits. Oddities are refused only with --strict.
[[nodiscard]] Result<json::Document> read_json(json::Buffer bytes, const InputOptions& options);

struct Answer {
  answer::ReadAnswer parsed;
  std::vector<model::Warning> oddities;  ///< in the JSON text; `parsed` has these warnings too
};

/// Reads one answer as the contract of --from; as text that is not JSON for `--from text`.
[[nodiscard]] Result<Answer> read_answer(json::Buffer bytes, const InputOptions& options,
                                         const answer::ShapeSettings& settings);

/// The settings that the options decide: limits and redaction.
[[nodiscard]] answer::ShapeSettings settings_of(const InputOptions& options);

inline constexpr std::size_t kMostViolations = 50;  ///< that `enfold validate` lists per document

/// Validates a document against the schema of its contract. Of a JSON-RPC response, validates the
/// result or the error. JSON without a contract is not valid. Messages contain no secrets. Fails
/// only if validation takes more work than the limits allow.
[[nodiscard]] Result<schema::Validation> validate(contract::Id id, json::View document,
                                                  const Limits& limits,
                                                  std::size_t max_violations = kMostViolations);

/// Owns a file descriptor, which may be -1; never closes the standard streams.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

}  // namespace enfold::cli
