// SPDX-License-Identifier: Apache-2.0
// Failed answers to calls whose arguments cannot be used.
#pragma once

#include "enfold/tools/declare/read_arguments.h"
#include "enfold/tools/offered_tool.h"

#include <optional>
#include <vector>

namespace enfold::tools {

/// For arguments that break the tool's input schema, or hold a marker; nullopt: they are good.
[[nodiscard]] std::optional<model::Response> argument_refusal(const OfferedTool& tool,
                                                              json::View arguments);

/// For arguments that hold the marker of a redacted secret; nullopt: there is none.
[[nodiscard]] std::optional<model::Response> marker_refusal(json::View arguments);

/// The failure that names each argument that is not as declared, and what was expected there.
[[nodiscard]] model::Response bad_arguments(const OfferedTool& tool,
                                            const std::vector<Problem>& problems);

}  // namespace enfold::tools
