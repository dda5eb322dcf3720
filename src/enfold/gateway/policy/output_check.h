// SPDX-License-Identifier: Apache-2.0
// Whether an answer keeps the output schema that its tool declares. Where the structured content is
// missing and the text is that JSON, nothing is lost; every other break is told, never mended by
// making something up.
#pragma once

#include "enfold/answer/shape.h"
#include "enfold/gateway/config/settings.h"
#include "enfold/server/detail/catalog.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::gateway {

struct SchemaBreak {
  /// The text holds what the schema asks for; only the structured content was missing.
  bool mended = false;
  std::vector<schema::Violation> violations;  ///< places in the tool's result; at least one
};

/// nullopt: as declared, or a failure, which need not be. `tool` has a schema of its payload.
[[nodiscard]] std::optional<SchemaBreak> check_output(const answer::Understood& answer,
                                                      const server::OfferedTool& tool);

/// For an answer that goes on as it is.
[[nodiscard]] model::Warning warning_of(const SchemaBreak& found);

/// Instead of the answer; `handle` opens what the tool said, empty: it could not be kept.
[[nodiscard]] model::Response failure_of(const SchemaBreak& found, const std::string& tool,
                                         const std::string& handle, const std::string& request_id);

}  // namespace enfold::gateway
