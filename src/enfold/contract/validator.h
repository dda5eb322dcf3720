// SPDX-License-Identifier: Apache-2.0
// The schemas of the contracts, compiled once for the whole program.
#pragma once

#include "enfold/contract/contract.h"
#include "enfold/schema/schema.h"

namespace enfold::contract {

/// nullptr: the contract has no schema, anything goes.
[[nodiscard]] const schema::Schema* validator(Id id);

}  // namespace enfold::contract
