// SPDX-License-Identifier: Apache-2.0
// What travels in a contract's extension slot, so that nothing is lost on the way there and back:
// the origin with its residue, how the payload was wrapped or lifted, and the fields of the model
// that the contract has no place for.
#pragma once

#include "enfold/contract/contract.h"

namespace enfold::contract::detail {

/// nullopt: the contract's own members say everything.
[[nodiscard]] Result<std::optional<json::Value>> make_extension(Id to, const Reading& reading,
                                                                const RenderOptions& options);

/// Restores the response and origin that `make_extension` was given.
[[nodiscard]] Status apply_extension(json::View extension, Reading& reading);

}  // namespace enfold::contract::detail
