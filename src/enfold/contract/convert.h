// SPDX-License-Identifier: Apache-2.0
// Conversion between contracts, with a list of what the target contract cannot express.
#pragma once

#include "enfold/contract/contract.h"

#include <string>
#include <vector>

namespace enfold::contract {

struct ConvertOptions {
  RenderOptions render;
  bool extensions = true;  ///< use the target's extension slot
};

struct Loss {
  std::string path;    ///< JSON Pointer into the source
  std::string reason;  ///< "no place in scalpel-v1", "changed: 3 became 0"
  friend bool operator==(const Loss&, const Loss&) = default;
};

/// Renders the response in contract `to`. If that is the contract it came from, the residue is
/// restored.
[[nodiscard]] Result<json::Output> write(const Reading& reading, Id to,
                                         const ConvertOptions& options);

/// What is lost in `output` (in contract `to`): JSON Pointers into the envelope that was read, or
/// into `source` if that follows no contract.
[[nodiscard]] Result<std::vector<Loss>> losses(json::View source, const Reading& reading, Id to,
                                               json::View output);

}  // namespace enfold::contract
