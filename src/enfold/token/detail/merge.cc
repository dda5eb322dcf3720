// SPDX-License-Identifier: Apache-2.0
#include "enfold/token/detail/merge.h"

#include <algorithm>
#include <array>
#include <functional>

namespace enfold::token::detail {
namespace {

// Up to this many bytes, a linear search for the lowest rank is faster than a heap.
constexpr std::size_t kShortPiece = 96;

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

/// The parts of a short piece: part i is the bytes from starts[i] to starts[i + 1].
struct ShortParts {
  std::array<std::uint8_t, kShortPiece + 1> starts;
  std::array<Rank, kShortPiece> ranks;  ///< [i]: of parts i and i + 1 as one token, or kNoRank
  std::size_t size;                     ///< number of parts

  /// Joins the part to the one before it, without updating ranks.
  void remove(std::size_t part) {
    std::copy(starts.begin() + part + 1, starts.begin() + size + 1, starts.begin() + part);
    std::copy(ranks.begin() + part + 1, ranks.begin() + size, ranks.begin() + part);
    --size;
  }
};

// Merges a piece of at most kShortPiece bytes; sets `parts` to its tokens.
void merge_short(const Vocabulary& vocabulary, std::string_view piece, ShortParts& parts) {
  const std::uint8_t* bytes = bytes_of(piece);
  parts.size = piece.size();
  for (std::size_t i = 0; i <= parts.size; ++i) parts.starts[i] = static_cast<std::uint8_t>(i);
  for (std::size_t i = 0; i + 1 < parts.size; ++i) parts.ranks[i] = vocabulary.rank(bytes + i, 2);
  const auto update_rank = [&](std::size_t i) {
    const std::size_t begin = parts.starts[i];
    parts.ranks[i] = vocabulary.rank(bytes + begin, parts.starts[i + 2] - begin);
  };
  while (parts.size > 1) {
    std::size_t best = 0;
    Rank lowest = parts.ranks[0];
    for (std::size_t i = 1; i + 1 < parts.size; ++i) {
      if (parts.ranks[i] < lowest) {
        lowest = parts.ranks[i];
        best = i;
      }
    }
    if (lowest == kNoRank) return;
    parts.remove(best + 1);
    if (best + 1 < parts.size) update_rank(best);
    if (best > 0) update_rank(best - 1);
  }
}

}  // namespace

std::size_t Merger::count(const Vocabulary& vocabulary, std::string_view piece) {
  if (piece.size() > kShortPiece) return ends(vocabulary, piece).size();
  ShortParts parts;  // NOLINT: filled by the next line, and clearing it would cost as much
  merge_short(vocabulary, piece, parts);
  return parts.size;
}

const Ends& Merger::ends(const Vocabulary& vocabulary, std::string_view piece) {
  if (piece.size() <= window_ || !merge_in_windows(vocabulary, piece)) {
    merge(vocabulary, piece, ends_);
  }
  return ends_;
}

void Merger::merge(const Vocabulary& vocabulary, std::string_view piece, Ends& ends) {
  if (piece.size() > kShortPiece) return merge_with_heap(vocabulary, piece, ends);
  ShortParts parts;  // NOLINT
  merge_short(vocabulary, piece, parts);
  ends.assign(parts.starts.begin() + 1,
              parts.starts.begin() + 1 + static_cast<std::ptrdiff_t>(parts.size));
}

// Looks up the rank of the part at `at` and its right neighbour as one token; appends the pair to
// heap_ if there is such a token.
void Merger::update_rank(const Vocabulary& vocabulary, std::string_view piece, std::uint32_t at) {
  Part& part = parts_[at];
  part.rank = part.end >= piece.size()
                  ? kNoRank
                  : vocabulary.rank(bytes_of(piece) + at, parts_[part.end].end - at);
  if (part.rank == kNoRank) return;
  heap_.push_back(std::uint64_t{part.rank} << 32 | at);
}

void Merger::merge_with_heap(const Vocabulary& vocabulary, std::string_view piece, Ends& ends) {
  const auto size = static_cast<std::uint32_t>(piece.size());
  parts_.resize(size);
  heap_.clear();
  for (std::uint32_t i = 0; i < size; ++i) parts_[i] = {i - 1, i + 1, kNoRank};
  for (std::uint32_t i = 0; i < size; ++i) update_rank(vocabulary, piece, i);
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  while (!heap_.empty()) {
    const std::uint64_t lowest = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    const auto at = static_cast<std::uint32_t>(lowest);
    Part& part = parts_[at];
    if (part.rank != lowest >> 32) continue;  // outdated: one of the two parts was merged since
    Part& absorbed = parts_[part.end];        // the right neighbour, which becomes part of `part`
    part.end = absorbed.end;
    absorbed.rank = kNoRank;
    if (part.end < size) parts_[part.end].previous = at;
    for (const std::uint32_t changed : {at, part.previous}) {
      if (changed >= size) continue;  // the first part has no previous one
      const std::size_t queued = heap_.size();
      update_rank(vocabulary, piece, changed);
      if (heap_.size() > queued) std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
  }
  ends.clear();
  for (std::uint32_t at = 0; at < size; at = parts_[at].end) ends.push_back(parts_[at].end);
}

bool Merger::stay_apart(const Vocabulary& vocabulary, std::string_view both, std::size_t cut) {
  merge(vocabulary, both, pair_ends_);
  return pair_ends_.size() == 2 && pair_ends_[0] == cut;
}

// Merges a long piece in windows, exactly. Two properties of byte-pair merging allow this: the
// first tokens of a text are the tokens of the bytes they cover; and a sequence of tokens is a
// result of merging if each two neighbours are. So a text can be split where the two tokens at the
// boundary stay apart. Returns false if no such boundary is found: only for adversarial texts.
bool Merger::merge_in_windows(const Vocabulary& vocabulary, std::string_view piece) {
  constexpr int cuts_to_try = 16;
  ends_.clear();
  std::size_t begin = 0;
  merge(vocabulary, piece.substr(0, window_), window_ends_);
  while (begin + window_ < piece.size()) {
    // Does not cut in the last eighth of the window, where the following text affects the tokens.
    const auto late =
        std::upper_bound(window_ends_.begin(), window_ends_.end(), window_ - window_ / 8);
    // Number of tokens of this window that are kept: the cut is after the last of them.
    auto kept = static_cast<std::size_t>(late - window_ends_.begin());
    bool found = false;
    for (int tries = 0; tries < cuts_to_try && kept > 0 && !found; ++tries, --kept) {
      const std::size_t cut = begin + window_ends_[kept - 1];
      const std::size_t last = begin + (kept > 1 ? window_ends_[kept - 2] : 0);  // its start
      merge(vocabulary, piece.substr(cut, window_), next_ends_);
      const std::string_view both = piece.substr(last, cut - last + next_ends_[0]);
      if (!stay_apart(vocabulary, both, cut - last)) continue;
      for (std::size_t i = 0; i < kept; ++i) ends_.push_back(begin + window_ends_[i]);
      begin = cut;
      window_ends_.swap(next_ends_);
      found = true;
    }
    if (!found) return false;
  }
  for (const std::size_t end : window_ends_) ends_.push_back(begin + end);
  return true;
}

}  // namespace enfold::token::detail
