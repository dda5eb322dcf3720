// SPDX-License-Identifier: Apache-2.0
// The contract schemas of schema/, embedded in the program.
#pragma once

#include "enfold/base/embedded.h"

#include <span>

namespace enfold::contract::detail {

[[nodiscard]] std::span<const EmbeddedFile> schema_files();

}  // namespace enfold::contract::detail
