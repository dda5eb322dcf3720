// SPDX-License-Identifier: Apache-2.0
// The encodings: split the text, look up each piece, merge pieces that are not tokens. With a short
// table, which has only the tokens of the lowest ranks, the count is an upper bound: merging takes
// the lowest rank first, so with a short table it does the first of the same steps and then ends,
// and each further step would only reduce the number of tokens.
#include "enfold/token/detail/merge.h"
#include "enfold/token/detail/piece_cache.h"
#include "enfold/token/detail/split_block.h"
#include "enfold/token/tokenizer.h"

#include <algorithm>

namespace enfold::token {
namespace {

using detail::Rules;
using detail::Text;

// Bytes that must be left to read a block: the piece cache reads sixteen bytes at the start of any
// piece of the block.
constexpr std::size_t kBlockMargin = detail::kBlock + 16;
constexpr std::uint64_t kWholeBlock = ~std::uint64_t{0};  // mask of all bytes
// For fewer bytes, the copy of take_end() costs more than it saves.
constexpr std::size_t kWorthCopying = 8;
// A text with more bytes than this for each token of the limit probably does not fit.
constexpr std::size_t kProbableBytesPerToken = 6;
// A number of tokens that every piece fits into; one more is still a TokenCount.
constexpr TokenCount kAnyRoom = kNoLimit - 1;

// std::popcount is a library call if the target processor lacks the instruction.
constexpr TokenCount bits_in(std::uint64_t mask) {
  mask -= mask >> 1 & 0x5555555555555555;
  mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333);
  mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return mask * 0x0101010101010101 >> 56;
}

/// Caches and buffers of one thread, for one table.
struct Workspace {
  const std::uint8_t* table = nullptr;
  detail::PieceCache cache;
  detail::LongPieceCache long_cache;
  detail::Merger merger;
};

// The workspace of this thread. Not inlined, so that the thread-local address is computed once per
// text.
template <Rules rules>
[[gnu::noinline]] Workspace& workspace(const std::uint8_t* table) {
  thread_local Workspace mine;
  // Rare: only in a program that counts with both the full and the short table.
  if (mine.table != table) {
    mine = Workspace();
    mine.table = table;
  }
  return mine;
}

template <Rules rules>
class Encoding final : public Tokenizer {
 public:
  constexpr Encoding(std::string_view name, const std::uint8_t* table)
      : name_(name), vocabulary_(table) {}

  [[nodiscard]] std::string_view name() const override { return name_; }

  [[nodiscard]] TokenCount count(std::string_view text) const override {
    return walk(text, kNoLimit).tokens;
  }

  [[nodiscard]] bool fits(std::string_view text, TokenCount limit) const override {
    if (text.size() <= limit) return true;  // no token is empty
    if (text.size() / kProbableBytesPerToken > limit && is_surely_more(text, limit)) return false;
    return walk(text, limit).at == text.size();
  }

  [[nodiscard]] std::string_view prefix(std::string_view text, TokenCount limit) const override {
    if (text.size() <= limit) return text;
    const Position whole = walk(text, limit);  // pieces that fit
    if (whole.at == text.size() || whole.tokens == limit) return text.substr(0, whole.at);
    return text.substr(0, whole.at + beginning_of_piece(text, whole, limit - whole.tokens));
  }

 private:
  /// A piece boundary, and the tokens before it.
  struct Position {
    std::size_t at = 0;
    TokenCount tokens = 0;
    std::size_t last_piece = 0;  ///< where the piece before `at` begins
  };

  // Whether the text certainly has more tokens than the limit: counts piece boundaries without
  // looking pieces up, as each piece is at least one token. False: not known.
  [[nodiscard]] static bool is_surely_more(std::string_view text, TokenCount limit) {
    const std::string_view enough = text.substr(0, limit * kProbableBytesPerToken + detail::kBlock);
    TokenCount pieces = 0;
    for (std::size_t at = 0; at + detail::kBlock <= enough.size(); at += detail::kBlock) {
      pieces += bits_in(detail::sure_ends<rules>(Text(enough.substr(at)).bytes));
      if (pieces > limit) return true;
    }
    return false;
  }

  // The position after the last whole piece that is within the limit.
  [[nodiscard]] Position walk(std::string_view bytes, TokenCount limit) const {
    Workspace& memory = workspace<rules>(vocabulary_.table());
    const Text text(bytes);
    Position position;
    while (position.at < text.size) {
      const std::size_t left = text.size - position.at;
      const TokenCount room = limit - position.tokens;
      if constexpr (detail::kHasBlocks) {
        // A block has at most as many tokens as bytes, so with this room it is within the limit.
        if (left >= kBlockMargin) {
          if (room >= detail::kBlock && take_block(text, position, kWholeBlock, memory)) continue;
        } else if (left >= kWorthCopying && room >= left && ends_plainly(text)) {
          take_end(text, position, memory);
          break;
        }
      }
      const std::size_t end = detail::fast_piece_end<rules>(text, position.at);
      const TokenCount cost = piece_cost(text, position.at, end, room, memory);
      if (cost > room) [[unlikely]]
        break;
      position = {end, position.tokens + cost, position.at};
    }
    return position;
  }

  // Counts the pieces that end inside the next block and before the first byte without a bit in
  // `within`, and moves `position` after them. False: there are none.
  [[gnu::always_inline]] bool take_block(Text text, Position& position, std::uint64_t within,
                                         Workspace& memory) const {
    const std::uint8_t* block = text.bytes + position.at;
    const auto [found, digits] = detail::piece_starts<rules>(block);
    const std::uint64_t starts = (found | 1) & within;
    const std::uint64_t end = std::bit_floor(starts);  // where the last whole piece ends
    if (end == 1) return false;
    const std::uint64_t pieces = starts ^ end;
    // Pieces that are a single byte or a number of up to three digits are tokens; others are looked
    // up.
    std::uint64_t unknown = pieces & ~digits & ~(starts >> 1);
    TokenCount tokens = bits_in(pieces ^ unknown);
    while (unknown != 0) {
      const auto begin = static_cast<unsigned>(std::countr_zero(unknown));
      const auto length = 1U + static_cast<unsigned>(std::countr_zero(starts >> begin >> 1));
      unknown &= unknown - 1;
      tokens += short_piece_cost(block + begin, length, kBlockMargin, memory);
    }
    position.last_piece = position.at + static_cast<unsigned>(std::bit_width(pieces)) - 1;
    position.at += static_cast<unsigned>(std::countr_zero(end));
    position.tokens += tokens;
    return true;
  }

  // Whether the text ends with a printable ASCII character: then padding of another class ends its
  // last piece.
  static bool ends_plainly(Text text) {
    const std::uint8_t last = text.bytes[text.size - 1];
    return last > ' ' && last < 0x7F;
  }

  // Counts the last bytes of a text in a padded copy, so that blocks can be read. Without this,
  // short texts would be split byte by byte.
  [[gnu::noinline]] void take_end(Text whole, Position& position, Workspace& memory) const {
    std::array<char, 2 * kBlockMargin> copy;  // NOLINT: filled by the next lines
    const std::size_t left = whole.size - position.at;
    const bool number = whole.class_of_byte(whole.size - 1) == detail::Class::number;
    std::memcpy(copy.data(), whole.bytes + position.at, left);
    std::memset(copy.data() + left, number ? 'a' : '0', kBlockMargin);
    const Text text({copy.data(), left + kBlockMargin});
    Position here;
    while (here.at < left) {
      const std::size_t most = left - here.at;  // bytes before the padding
      const std::uint64_t within = most < 63 ? (std::uint64_t{2} << most) - 1 : kWholeBlock;
      if (take_block(text, here, within, memory)) continue;
      const std::size_t end = detail::fast_piece_end<rules>(text, here.at);
      here.tokens += piece_cost(text, here.at, end, kAnyRoom, memory);
      here.last_piece = here.at;
      here.at = end;
    }
    position = {whole.size, position.tokens + here.tokens, position.at + here.last_piece};
  }

  // The number of tokens of a piece; if it is more than `room`, any number above `room`.
  [[nodiscard, gnu::always_inline]] TokenCount piece_cost(Text text, std::size_t begin,
                                                          std::size_t end, TokenCount room,
                                                          Workspace& memory) const {
    const std::size_t length = end - begin;
    if (length == 1) return 1;
    if (length > detail::PieceCache::kLongest) {
      return long_piece_cost(text.bytes + begin, length, room, memory);
    }
    return short_piece_cost(text.bytes + begin, length, text.size - begin, memory);
  }

  // `readable`: the number of bytes that may be read at `bytes`.
  [[nodiscard, gnu::always_inline]] TokenCount short_piece_cost(const std::uint8_t* bytes,
                                                                std::size_t length,
                                                                std::size_t readable,
                                                                Workspace& memory) const {
    using Cache = detail::PieceCache;
    if (length > Cache::kLongest) [[unlikely]]
      return long_piece_cost(bytes, length, kAnyRoom, memory);
    const Cache::Slot key = Cache::key(bytes, length, readable);
    Cache::Slot& slot = memory.cache.slot_for(key);
    if (Cache::matches(slot, key)) [[likely]]
      return Cache::cost(slot);
    return compute_and_cache_cost(bytes, length, key, slot, memory);
  }

  [[nodiscard, gnu::noinline]] TokenCount compute_and_cache_cost(const std::uint8_t* bytes,
                                                                 std::size_t length,
                                                                 detail::PieceCache::Slot key,
                                                                 detail::PieceCache::Slot& slot,
                                                                 Workspace& memory) const {
    const TokenCount cost = merged_cost(bytes, length, memory);
    detail::PieceCache::remember(slot, key, cost);
    return cost;
  }

  [[nodiscard, gnu::noinline]] TokenCount long_piece_cost(const std::uint8_t* bytes,
                                                          std::size_t length, TokenCount room,
                                                          Workspace& memory) const {
    // Without merging: the piece has so many bytes that even its longest tokens are more than
    // `room`.
    if ((length - 1) / vocabulary_.longest() >= room) return room + 1;
    if (length > detail::LongPieceCache::kLongest) return merged_cost(bytes, length, memory);
    detail::LongPieceCache::Slot& slot = memory.long_cache.slot_for(bytes, length);
    if (!slot.holds(bytes, length))
      slot.remember(bytes, length, merged_cost(bytes, length, memory));
    return slot.cost;
  }

  // The number of tokens of a piece, without a cache.
  [[nodiscard]] TokenCount merged_cost(const std::uint8_t* bytes, std::size_t length,
                                       Workspace& memory) const {
    if (length == 1 || vocabulary_.rank(bytes, length) != detail::kNoRank) return 1;
    return memory.merger.count(vocabulary_, {reinterpret_cast<const char*>(bytes), length});
  }

  // The number of bytes of the piece at `whole.at` that fit into `room` more tokens. A cut piece
  // may be split in another way than the whole one ("don't" after the apostrophe) and merge with
  // the white space before it. So the text up to the cut is counted again, and shortened while it
  // does not fit; the result is 0 after eight such cuts.
  [[nodiscard]] std::size_t beginning_of_piece(std::string_view text, const Position& whole,
                                               TokenCount room) const {
    constexpr int cuts_to_try = 8;
    const std::size_t end = detail::fast_piece_end<rules>(Text(text), whole.at);
    // Only slightly more than needed: the piece may be very long.
    const std::size_t enough = (room + 2) * vocabulary_.longest();
    const std::string_view piece = text.substr(whole.at, std::min(end - whole.at, enough));
    const detail::Ends ends = workspace<rules>(vocabulary_.table()).merger.ends(vocabulary_, piece);
    // The cost of the previous piece, which is counted again together with the cut piece.
    const TokenCount before = count(text.substr(whole.last_piece, whole.at - whole.last_piece));
    int tries = 0;
    for (std::size_t kept = std::min(room, ends.size()); kept > 0; --kept) {
      const std::size_t cut = whole.at + ends[kept - 1];
      if (Text(text).is_inside_character(cut)) continue;
      const std::string_view changed = text.substr(whole.last_piece, cut - whole.last_piece);
      if (walk(changed, room + before).at == changed.size()) {
        return ends[kept - 1];
      }
      if (++tries == cuts_to_try) break;
    }
    return 0;
  }

  std::string_view name_;
  detail::Vocabulary vocabulary_;
};

constinit const Encoding<Rules::o200k> kO200k("o200k_base", detail::enfold_token_o200k_base);
constinit const Encoding<Rules::cl100k> kCl100k("cl100k_base", detail::enfold_token_cl100k_base);
constinit const Encoding<Rules::o200k> kO200kBound("o200k_base_bound",
                                                   detail::enfold_token_o200k_base_short);
constinit const Encoding<Rules::cl100k> kCl100kBound("cl100k_base_bound",
                                                     detail::enfold_token_cl100k_base_short);

}  // namespace

bool counts_exactly() { return detail::enfold_token_o200k_base != nullptr; }

const Tokenizer& o200k_base() { return counts_exactly() ? kO200k : kO200kBound; }
const Tokenizer& cl100k_base() { return counts_exactly() ? kCl100k : kCl100kBound; }
const Tokenizer& o200k_base_bound() { return kO200kBound; }
const Tokenizer& cl100k_base_bound() { return kCl100kBound; }

std::span<const Tokenizer* const> encodings() {
  static const std::array<const Tokenizer*, 2> both{&o200k_base(), &cl100k_base()};
  return both;
}

const Tokenizer* find_encoding(std::string_view name) {
  const auto all = encodings();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Tokenizer* each) { return each->name() == name; });
  return found == all.end() ? nullptr : *found;
}

bool adds_up_at(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return at == 0 || at == text.size();
  if (text[at - 1] != '\n' || text[at] == '/') return false;
  return !detail::is_white(Text(text).at(at).cls);
}

}  // namespace enfold::token
