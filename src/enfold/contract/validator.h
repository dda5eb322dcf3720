// SPDX-License-Identifier: Apache-2.0
// The schemas of the contracts, compiled once per process.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/schema/schema.h"

namespace enfold::contract {

/// nullptr: the contract has no schema.
[[nodiscard]] const schema::Schema* validator(Id id);

}  // namespace enfold::contract
