// SPDX-License-Identifier: Apache-2.0
// The extension slot of a contract holds what the contract cannot express, so that a conversion can
// be undone: the origin with its residue, how the payload was wrapped or transformed, and model
// fields without a member in the contract.
#pragma once

#include "enfold/contract/contract.h"

namespace enfold::contract::detail {

/// nullopt: the contract expresses everything.
[[nodiscard]] Result<std::optional<json::Value>> make_extension(Id to, const Reading& reading,
                                                                const RenderOptions& options);

/// Restores the response and origin from an extension.
[[nodiscard]] Status apply_extension(json::View extension, Reading& reading);

}  // namespace enfold::contract::detail
