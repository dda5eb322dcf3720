// SPDX-License-Identifier: Apache-2.0
// Words of folded text (folding.h): what a query looks for, and how near two texts are.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace memory {

enum class Match { all, any, phrase };

/// What a query means, for an index of all sequences of three characters. Shorter words are not in
/// that index and are looked for one by one.
struct Query {
  std::string indexed;  ///< an FTS5 expression for the longer words
  std::string whole;    ///< the same for an index of words, to rank whole words first
  std::vector<std::string> short_words;
  std::int64_t needed = 1;  ///< how many of these (`indexed` counts as one) a memory must hold

  [[nodiscard]] bool is_empty() const { return needed == 0; }
};

/// `folded` means its words and nothing else, whatever characters it holds.
[[nodiscard]] Query query_of(std::string_view folded, Match match);

using Pieces = std::set<std::string, std::less<>>;

/// The words of three characters and more; of scripts that write no space between words, all
/// sequences of three characters.
[[nodiscard]] Pieces pieces_of(std::string_view folded);
/// An FTS5 expression for the first `limit` of them; at least one must occur.
[[nodiscard]] std::string any_of(const Pieces& pieces, std::size_t limit);

/// Shared pieces by all pieces: 0 nothing in common, 1 the same words.
[[nodiscard]] double similarity(const Pieces& a, const Pieces& b);

}  // namespace memory
