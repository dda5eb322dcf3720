// SPDX-License-Identifier: Apache-2.0
// Shortens strings: a true prefix, then a marker that says how much is missing.
#pragma once

#include "enfold/json/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::budget::detail {

/// Less than this is not worth a marker.
inline constexpr std::size_t kLeastClip = 96;

/// The end of the longest piece of escaped string source of at most `bytes` that splits neither an
/// escape, nor a surrogate pair, nor a character.
[[nodiscard]] std::size_t safe_cut(std::string_view source, std::size_t bytes);

/// Bytes of the UTF-8 text that escaped string source stands for.
[[nodiscard]] std::size_t decoded_size(std::string_view source);

/// The string cut after about `bytes` of its source, at the end of a line where one is near;
/// "…[+N bytes]" counts what is missing of the decoded text. nullopt: not worth it.
[[nodiscard]] std::optional<json::Value> clip(json::View string, std::size_t bytes,
                                              std::size_t whole_decoded);
[[nodiscard]] std::optional<json::Value> clip(json::View string, std::size_t bytes);

/// For index rows: a prefix and "…", or the string itself when it is short enough.
[[nodiscard]] json::Value label(std::string_view source, std::size_t bytes);

}  // namespace enfold::budget::detail
