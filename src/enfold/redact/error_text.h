// SPDX-License-Identifier: Apache-2.0
// An error tells what went wrong; it carries no source code and no file content.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::redact {

inline constexpr std::size_t kLongestErrorText = 2000;

/// The message without stack frames, code excerpts and fenced blocks, at most kLongestErrorText
/// bytes. The first line that says something is always kept.
[[nodiscard]] std::string scrub_error_text(std::string_view text);

}  // namespace enfold::redact
