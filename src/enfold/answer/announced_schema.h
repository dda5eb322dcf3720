// SPDX-License-Identifier: Apache-2.0
// The output schema that Enfold announces for a tool whose answers it writes in a contract: the
// schema of the envelope, with the tool's own schema for the payload inside. It accepts every
// answer that the tool can give: success at each level and fidelity, and failure. Its root has the
// type object, as the era with sessions requires, and no $id or $ref, so that schemas of several
// tools never collide.
#pragma once

#include "enfold/contract/contract.h"

namespace enfold::answer {

/// Which payloads the announced schema accepts.
enum class Payloads {
  as_declared,  ///< only those that match the tool's schema
  /// Others too, with the warning SCHEMA_MISMATCH; in a contract without warnings any payload.
  or_with_warning,
};

/// `payload`: the tool's schema of its payload; {}: any payload. It is copied unchanged to
/// /anyOf/0/properties/data, so the caller must have changed its local `$ref`s to lead there.
[[nodiscard]] json::Value announced_schema(contract::Id contract, json::View payload,
                                           Payloads payloads = Payloads::as_declared);

}  // namespace enfold::answer
