// SPDX-License-Identifier: Apache-2.0
// Which keys occur in a document. Most keys that a reader asks for occur nowhere, and one bit says
// so before View::find looks at any member. Functions that the scanner uses are always inlined:
// else the linker might keep the copy that was compiled for newer processors, and use it on all.
#pragma once

#include "enfold/json/document.h"

#include <cstring>

namespace enfold::json::detail {

/// A hash of 24 bits. `head` holds the first eight bytes of the key, `tail` the last eight. Of a
/// shorter key both hold all bytes, followed by zeros.
__attribute__((always_inline)) inline std::uint32_t mix_key(std::uint64_t head, std::uint64_t tail,
                                                            std::uint32_t length) {
  const std::uint64_t mixed =
      (head ^ (tail * 0x9E3779B97F4A7C15ULL) ^ length) * 0xD6E8FEB86659FD93ULL;
  return static_cast<std::uint32_t>(mixed >> 40);
}

/// The hash of a key that a reader asks for. The scanner's function of this name may read past the
/// end of a key, because padding follows the document; this one does not.
inline std::uint32_t key_hash(std::string_view key) {
  const std::size_t size = key.size();
  const char* const p = key.data();
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  if (size >= 8) {
    std::memcpy(&head, p, 8);
    std::memcpy(&tail, p + size - 8, 8);
    return mix_key(head, tail, static_cast<std::uint32_t>(size));
  }
  if (size >= 4) {
    std::memcpy(&head, p, 4);
    std::memcpy(&tail, p + size - 4, 4);
    head |= tail << (8 * (size - 4));
  } else {
    for (std::size_t i = 0; i < size; ++i) {
      head |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
    }
  }
  return mix_key(head, head, static_cast<std::uint32_t>(size));
}

/// A Bloom filter of the decoded keys; each key sets one bit. The scanner adds those without
/// escapes, the parser the others.
class DocumentKeys {
 public:
  __attribute__((always_inline)) void add(std::uint32_t hash) { words_[word(hash)] |= bit(hash); }
  /// False: no object of the document has this key.
  [[nodiscard]] bool may_have(std::uint32_t hash) const {
    return (words_[word(hash)] & bit(hash)) != 0;
  }

 private:
  // Bits 20 to 23 of a hash choose the word, bits 14 to 19 the bit in it. The scanner's table of
  // keys uses the lower bits.
  __attribute__((always_inline)) static std::uint32_t word(std::uint32_t hash) {
    return hash >> 20;
  }
  __attribute__((always_inline)) static std::uint64_t bit(std::uint32_t hash) {
    return std::uint64_t{1} << (hash >> 14 & 63U);
  }
  std::uint64_t words_[16] = {};
};

/// The type of every document's storage: parse() makes no other, so View::find casts to it.
struct IndexedStorage : Storage {
  DocumentKeys keys;
};

}  // namespace enfold::json::detail
