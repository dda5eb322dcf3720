// SPDX-License-Identifier: Apache-2.0
// Whether the answer of a foreign tool matches the output schema that the tool declares. If only
// the structured content is missing and the text holds the same JSON, the answer is repaired. Every
// other mismatch is reported; Enfold never invents a value to repair one.
#pragma once

#include "enfold/answer/shape.h"
#include "enfold/budget/budget.h"

namespace enfold::answer {

/// The tool that opens archived answers, as messages name it.
inline constexpr std::string_view kFetchToolName = "enfold_fetch";

/// What happens to an answer that does not match its tool's output schema.
enum class OutputCheck : std::uint8_t {
  warn,    ///< repaired from the text if possible; sent with a warning in any case
  strict,  ///< the call fails with the violations; the answer is archived
  off,     ///< answers are not checked
};

/// The output schema that a tool declares.
struct DeclaredOutput {
  const budget::OutputSchema* schema = nullptr;  ///< nullptr: none
  bool is_envelope = false;  ///< the schema describes an envelope that the tool writes itself
};

struct SchemaMismatch {
  /// The text holds what the schema asks for; only the structured content was missing.
  bool repaired = false;
  std::vector<schema::Violation> violations;  ///< places in the tool's result; at least one
};

/// nullopt: the answer matches, or is a failure, which need not match. `declared` has a schema.
[[nodiscard]] std::optional<SchemaMismatch> check_output(const ReadAnswer& answer,
                                                         const DeclaredOutput& declared);

/// The warning for an answer that is sent despite the mismatch.
[[nodiscard]] model::Warning warning_of(const SchemaMismatch& mismatch);

/// The failure sent instead of the answer. `handle` opens the original; empty: it was not archived.
[[nodiscard]] model::Response failure_of(const SchemaMismatch& mismatch, const std::string& tool,
                                         const std::string& handle, const std::string& request_id);

}  // namespace enfold::answer
