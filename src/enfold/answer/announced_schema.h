// SPDX-License-Identifier: Apache-2.0
// The output schema that Enfold announces for a tool whose answers it writes in a contract: the
// schema of the envelope, with the tool's own schema for the payload inside. It accepts every
// answer that the tool can give: success at each level and fidelity, and failure. Its root is an
// object, as the era with sessions requires, and has no $id and $ref, so that schemas of several
// tools never collide.
#pragma once

#include "enfold/contract/contract.h"

namespace enfold::answer {

/// Which payloads the announced schema accepts.
enum class Payloads {
  as_declared,      ///< only those that match the tool's schema
  or_with_warning,  ///< also others, if the answer has the warning SCHEMA_MISMATCH
};

/// `payload`: the tool's schema of its payload, which must be an object.
[[nodiscard]] json::Value announced_schema(contract::Id contract, json::View payload,
                                           Payloads payloads = Payloads::as_declared);

}  // namespace enfold::answer
