// SPDX-License-Identifier: Apache-2.0
// How near two texts are, by the words that they share; and text as words for the text index.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace memory {

using Words = std::set<std::string, std::less<>>;

/// The distinct words of three letters and more, in lower case.
[[nodiscard]] Words words_of(std::string_view text);

/// Shared words by all words: 0 nothing in common, 1 the same words.
[[nodiscard]] double similarity(const Words& a, const Words& b);

enum class Match { all, any, phrase };

/// An FTS5 expression that finds the words of `query` and means nothing else, whatever it holds.
/// Empty when there is no word in it.
[[nodiscard]] std::string text_expression(std::string_view query, Match match);

}  // namespace memory
