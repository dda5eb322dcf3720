// SPDX-License-Identifier: Apache-2.0
// Conversion between contracts: read, render, and an honest account of what did not fit.
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

/// The response in contract `to`. Returning to the contract it came from restores the residue.
[[nodiscard]] Result<json::Output> write(const Reading& reading, Id to,
                                         const ConvertOptions& options);

/// What reading `output` (in contract `to`) back would not give again: paths into the envelope
/// that was read, or into `source` when that is raw data.
[[nodiscard]] Result<std::vector<Loss>> losses(json::View source, const Reading& reading, Id to,
                                               json::View output);

}  // namespace enfold::contract
