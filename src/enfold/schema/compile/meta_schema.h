// SPDX-License-Identifier: Apache-2.0
// The meta-schemas that are part of the program (schema/meta), by URI without fragment.
#pragma once

#include "enfold/schema/schema.h"

namespace enfold::schema::detail {

[[nodiscard]] const Registry& meta_schemas();

}  // namespace enfold::schema::detail
