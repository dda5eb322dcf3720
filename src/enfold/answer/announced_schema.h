// SPDX-License-Identifier: Apache-2.0
// The output schema that a tool announces when its answers are written in a contract: the tool's
// own schema, for its payload, inside the envelope. It accepts every answer the tool can give:
// success at each level and fidelity, and failure. The root is an object, as sessions need it, and
// it stands alone, without $id and $ref, so that schemas of several tools never collide.
#pragma once

#include "enfold/contract/contract.h"

namespace enfold::answer {

/// Whether a payload may break its schema, as long as the answer says so.
enum class Payloads { as_declared, or_with_warning };

/// `payload` is the schema of an object.
[[nodiscard]] json::Value announced_schema(contract::Id contract, json::View payload,
                                           Payloads payloads = Payloads::as_declared);

}  // namespace enfold::answer
