// SPDX-License-Identifier: Apache-2.0
// Binary data in Base64: its media type and the size of images, by their first bytes.
#pragma once

#include "enfold/token/profile.h"

#include <optional>
#include <string_view>

namespace enfold::budget::text {

/// Pixels of a PNG, GIF or JPEG; nullopt: another format, or a damaged header.
[[nodiscard]] std::optional<token::ImageSize> image_size(std::string_view base64);

/// By the first bytes of the decoded data; empty: unknown.
[[nodiscard]] std::string_view media_type(std::string_view bytes);

}  // namespace enfold::budget::text
