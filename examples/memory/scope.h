// SPDX-License-Identifier: Apache-2.0
// Scopes are paths: work/projects/enfold lies inside work/projects, which lies inside work.
#pragma once

#include "enfold/model/response.h"

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace memory {

/// The one spelling of a scope: lower case, no empty parts, no space around a part and a dash for
/// space inside. A failed response (INVALID_SCOPE) for what cannot be spelled so.
[[nodiscard]] tl::expected<std::string, enfold::model::Response> normal_scope(
    std::string_view asked);

}  // namespace memory
