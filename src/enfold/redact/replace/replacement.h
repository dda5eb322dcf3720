// SPDX-License-Identifier: Apache-2.0
// Replacement texts for secrets.
#pragma once

#include "enfold/redact/replace/walk.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::redact::detail {

/// Never needs escaping in JSON.
[[nodiscard]] std::string replacement(Way way, std::string_view label, std::string_view secret);

[[nodiscard]] std::string replacement_number(Way way, std::size_t digits);

}  // namespace enfold::redact::detail
