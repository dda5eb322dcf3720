// SPDX-License-Identifier: Apache-2.0
// A cache of token counts for short pieces. Direct mapped and exact (the key is the whole piece);
// one per thread and encoding.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace enfold::token::detail {

/// By length of a piece: the mask of the piece's bytes in the eight-byte word that begins at its
/// byte `skipped`.
constexpr std::array<std::uint64_t, 16> byte_masks(std::size_t skipped) {
  std::array<std::uint64_t, 16> masks{};
  for (std::size_t length = 0; length < 16; ++length) {
    const std::size_t used = length > skipped ? length - skipped : 0;
    masks[length] = used >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * used) - 1;
  }
  return masks;
}

class PieceCache {
 public:
  static constexpr std::size_t kLongest = 15;  ///< bytes of a piece

  /// A piece of up to fifteen bytes; the last byte has the length (low half) and the cost in
  /// tokens.
  struct Slot {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };

  PieceCache() : slots_(static_cast<Slot*>(std::calloc(kSlots, sizeof(Slot)))) {
    if (!slots_) throw std::bad_alloc();
  }

  /// The slot, with cost 0, of the piece of `length` bytes at `bytes`. `readable`: the number of
  /// bytes that may be read there, at least `length`.
  [[nodiscard]] static Slot key(const std::uint8_t* bytes, std::size_t length,
                                std::size_t readable) {
    Slot key;
    if (readable >= sizeof key) {
      std::memcpy(&key, bytes, sizeof key);
      key.low &= kLowMask[length];
      key.high &= kHighMask[length];
    } else {
      std::memcpy(&key, bytes, length);
    }
    key.high |= static_cast<std::uint64_t>(length) << 56;
    return key;
  }

  /// The only slot that may have the piece; remember() overwrites it.
  [[nodiscard]] Slot& slot_for(Slot key) const {
    const std::uint64_t mixed = key.low * 0x9E3779B97F4A7C15 ^ key.high * 0xC2B2AE3D27D4EB4F;
    return slots_[mixed >> (64 - kBits)];
  }

  /// Whether the slot has the piece of the key; ignores the cost. A free slot has length 0 and
  /// matches no key.
  [[nodiscard]] static bool matches(const Slot& slot, Slot key) {
    return ((slot.low ^ key.low) | (slot.high ^ key.high) << 4) == 0;
  }
  [[nodiscard]] static std::size_t cost(const Slot& slot) { return slot.high >> 60; }

  /// Four bits are enough for the cost: a piece of at most fifteen bytes has at most fifteen
  /// tokens.
  static void remember(Slot& slot, Slot key, std::size_t cost) {
    slot = {key.low, key.high | static_cast<std::uint64_t>(cost) << 60};
  }

 private:
  static constexpr int kBits = 15;  ///< of the index of a slot
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;

  static constexpr std::array<std::uint64_t, 16> kLowMask = byte_masks(0);
  static constexpr std::array<std::uint64_t, 16> kHighMask = byte_masks(8);

  // The slots come from calloc, so that pages that are not used take no memory.
  struct Free {
    void operator()(Slot* slots) const { std::free(slots); }
  };
  std::unique_ptr<Slot[], Free> slots_;
};

/// A cache for longer pieces, such as words of other scripts and escapes. Merging such a piece
/// takes about a microsecond, so a lookup saves time although it is slower than in PieceCache.
class LongPieceCache {
 public:
  static constexpr std::size_t kLongest = 62;  ///< bytes of a piece

  /// Aligned, so that a slot is one line of the processor's cache.
  struct alignas(64) Slot {
    std::uint8_t length = 0;  ///< of the piece, in bytes; 0: the slot is free
    std::uint8_t cost = 0;    ///< tokens
    std::array<std::uint8_t, kLongest> bytes{};

    [[nodiscard]] bool holds(const std::uint8_t* piece, std::size_t size) const {
      return length == size && std::memcmp(bytes.data(), piece, size) == 0;
    }
    void remember(const std::uint8_t* piece, std::size_t size, std::size_t tokens) {
      length = static_cast<std::uint8_t>(size);
      cost = static_cast<std::uint8_t>(tokens);
      std::memcpy(bytes.data(), piece, size);
    }
  };

  /// The only slot that may have the piece. `size` is more than PieceCache::kLongest and at most
  /// kLongest.
  [[nodiscard]] Slot& slot_for(const std::uint8_t* piece, std::size_t size) {
    const auto load = [&](std::size_t at) {
      std::uint64_t word = 0;
      std::memcpy(&word, piece + at, sizeof word);
      return word;
    };
    const std::uint64_t ends = load(0) * 0x9E3779B97F4A7C15 ^ load(size - 8) * 0xC2B2AE3D27D4EB4F;
    const std::uint64_t mixed = (ends ^ load(size / 2 - 4)) * 0x165667B19E3779F9 + size;
    return slots_[(mixed ^ mixed >> 32) >> 7 & (kSlots - 1)];
  }

 private:
  static constexpr std::size_t kSlots = 512;
  std::array<Slot, kSlots> slots_{};
};

}  // namespace enfold::token::detail
