// SPDX-License-Identifier: Apache-2.0
// Anything a tool answered → generic, as `enfold parse` does it: what is wrapped around the answer
// is taken off, an envelope of a contract is converted, everything else is sorted by its shape.
// docs/reference/contracts/generic.md is the specification.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/json/write.h"

#include <string_view>

namespace enfold::contract {

/// The answer inside MCP results, JSON-RPC responses, JSON in text and `output`. Unlike `read` it
/// lets a `success: false` or an `error` at the root of data without a contract decide.
[[nodiscard]] Result<Reading> read_any(json::View document, const ReadOptions& options);

struct Parsed {
  json::Output output;  ///< a valid generic answer
  Reading reading;
};

/// Never fails for a document within the limits.
[[nodiscard]] Result<Parsed> parse_any(json::View document, const ReadOptions& options = {});

/// Text that may or may not be JSON.
[[nodiscard]] Result<Parsed> parse_any(std::string_view text, const ReadOptions& options = {});

}  // namespace enfold::contract
