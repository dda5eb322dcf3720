// SPDX-License-Identifier: Apache-2.0
// Removes source code and file content from error messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::redact {

inline constexpr std::size_t kLongestErrorText = 2000;

/// The message without stack frames, code excerpts and fenced blocks, at most kLongestErrorText
/// bytes.
[[nodiscard]] std::string scrub_error_text(std::string_view text);

}  // namespace enfold::redact
