// SPDX-License-Identifier: Apache-2.0
// Whether the answer of a foreign tool matches the output schema that the tool declares. These
// functions only report. If only the structured content is missing and the text holds JSON that the
// schema accepts, nothing need be repaired here: Enfold reads a lone text of JSON as data in any
// case, and writes it into the envelope. Other mismatches stay, because Enfold invents no values.
#pragma once

#include "enfold/answer/shape.h"
#include "enfold/budget/budget.h"

namespace enfold::answer {

/// The tool that opens archived answers, as messages name it.
inline constexpr std::string_view kFetchToolName = "enfold_fetch";

/// What happens to an answer that does not match its tool's output schema.
enum class OutputCheck : std::uint8_t {
  warn,    ///< the answer is sent with a warning
  strict,  ///< the call fails with the violations; the answer is archived
  off,     ///< answers are not checked
};

/// The output schema that a tool declares.
struct DeclaredOutput {
  const budget::OutputSchema* schema = nullptr;  ///< nullptr: none
  bool is_envelope = false;  ///< the schema describes an envelope that the tool writes itself
};

struct SchemaMismatch {
  /// Only the structured content is missing; the text holds JSON that the schema accepts. The
  /// warning is then SCHEMA_REPAIRED, else SCHEMA_MISMATCH.
  bool text_matches = false;
  std::vector<schema::Violation> violations;  ///< places in the tool's result; at least one
};

/// nullopt: the answer matches, or is a failure, which need not match. Structured content that
/// cannot be checked within the limits does not match. `declared.schema` must not be nullptr.
[[nodiscard]] std::optional<SchemaMismatch> check_output(const ReadAnswer& answer,
                                                         const DeclaredOutput& declared);

/// The warning for an answer that is sent despite the mismatch.
[[nodiscard]] model::Warning warning_of(const SchemaMismatch& mismatch);

/// The failure sent instead of the answer. `handle` opens the original; empty: it was not archived.
[[nodiscard]] model::Response failure_of(const SchemaMismatch& mismatch, const std::string& tool,
                                         const std::string& handle, const std::string& request_id);

}  // namespace enfold::answer
