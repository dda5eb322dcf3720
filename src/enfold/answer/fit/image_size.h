// SPDX-License-Identifier: Apache-2.0
// The size of a picture in pixels, read from the first bytes of a PNG, GIF or JPEG file: what a
// client charges for a picture depends on it.
#pragma once

#include "enfold/token/profile.h"

#include <optional>
#include <string_view>

namespace enfold::answer {

/// nullopt when it is none of these formats or its header is damaged.
[[nodiscard]] std::optional<token::ImageSize> image_size(std::string_view base64);

}  // namespace enfold::answer
