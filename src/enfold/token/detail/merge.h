// SPDX-License-Identifier: Apache-2.0
// Byte-pair merging of one piece, a part of a text that split.h found: repeatedly joins the
// adjacent pair with the lowest rank, the leftmost first, until no pair forms a token.
#pragma once

#include "enfold/token/detail/vocabulary.h"

#include <string_view>
#include <vector>

namespace enfold::token::detail {

/// Offsets in a piece at which its tokens end.
using Ends = std::vector<std::size_t>;

/// Working memory for merging, reused from piece to piece. One for each thread.
class Merger {
 public:
  /// Pieces longer than `window` bytes are merged in windows, if possible, to limit the memory.
  explicit Merger(std::size_t window = 1024) : window_(window) {}

  /// The number of tokens of a piece. Takes n log n time at worst.
  [[nodiscard]] std::size_t count(const Vocabulary& vocabulary, std::string_view piece);

  /// Where the tokens of a piece end. The result is valid until the next call of a member function.
  [[nodiscard]] const Ends& ends(const Vocabulary& vocabulary, std::string_view piece);

 private:
  struct Part {
    std::uint32_t previous;  ///< offset of the part before this one; 2^32 - 1: this is the first
    std::uint32_t end;       ///< offset of the next part; the size of the piece: this is the last
    Rank rank;               ///< of this part and its right neighbour as one token, or kNoRank
  };

  void merge(const Vocabulary& vocabulary, std::string_view piece, Ends& ends);
  void merge_with_heap(const Vocabulary& vocabulary, std::string_view piece, Ends& ends);
  void update_rank(const Vocabulary& vocabulary, std::string_view piece, std::uint32_t at);
  /// False: no safe cut between windows was found, so the piece must be merged as a whole.
  [[nodiscard]] bool merge_in_windows(const Vocabulary& vocabulary, std::string_view piece);
  /// Whether the bytes of two neighbouring tokens, merged together, give the same two tokens with
  /// their boundary at `cut`.
  [[nodiscard]] bool stay_apart(const Vocabulary& vocabulary, std::string_view both,
                                std::size_t cut);

  std::size_t window_;               ///< bytes
  Ends ends_;                        ///< of the whole piece
  Ends window_ends_;                 ///< of the current window
  Ends next_ends_;                   ///< of the window after it
  Ends pair_ends_;                   ///< of the two tokens that stay_apart merges
  std::vector<Part> parts_;          ///< by the offset of their first byte
  std::vector<std::uint64_t> heap_;  ///< rank << 32 | offset of the left part; the lowest is first
};

}  // namespace enfold::token::detail
