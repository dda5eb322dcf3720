// SPDX-License-Identifier: Apache-2.0
// Detection of duplicate keys. Each scanner source includes this file, so it is compiled once per
// instruction set. False positives are possible: the parser checks suspect objects exactly after
// the scan. False negatives are not.
#pragma once

#include "enfold/json/detail/scan.h"

#include <cstring>

namespace enfold::json::detail {
namespace {

struct KeyPlace {
  std::uint32_t offset;
  std::uint32_t length;
};

// Masks by the number of bytes to keep.
constexpr std::uint64_t kLowBytes[9] = {0,
                                        0xFF,
                                        0xFFFF,
                                        0xFFFFFF,
                                        0xFFFFFFFF,
                                        0xFFFFFFFFFF,
                                        0xFFFFFFFFFFFF,
                                        0xFFFFFFFFFFFFFF,
                                        0xFFFFFFFFFFFFFFFF};

// Hashes keys of up to 16 bytes whole, longer ones by both ends. Without branches, because key
// lengths are unpredictable. Padding makes over-reads safe.
inline std::uint32_t key_hash(const char* key, std::uint32_t length) {
  const std::uint32_t part = length < 8 ? length : 8;
  const std::uint64_t kept = kLowBytes[part];
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  std::memcpy(&head, key, 8);
  std::memcpy(&tail, key + (length - part), 8);
  const std::uint64_t mixed =
      ((head & kept) ^ ((tail & kept) * 0x9E3779B97F4A7C15ULL) ^ length) * 0xD6E8FEB86659FD93ULL;
  return static_cast<std::uint32_t>(mixed >> 40);
}

// Records of one list mostly have the same keys in the same order. So the keys of an object are
// first compared with those of the last object at its depth, which are all different; from the
// first mismatch on, a small hash table is used.
template <class Kernel>
class DuplicateKeyFilter {
 public:
  DuplicateKeyFilter(const char* base, Scan& scan)
      : base_(base), containers_(*scan.containers), slots_(scan.keys), slot_mask_(scan.key_mask) {
    for (Pattern& pattern : patterns_) pattern.owner = pattern.size = 0;
  }

  /// If the key at `p` equals the key of the last object at this depth in the same position,
  /// returns its size with quotes: such a key is no duplicate within its own object, and the
  /// scanner need not search its closing quote. Otherwise returns 0.
  __attribute__((always_inline)) std::uint32_t same_as_last(std::uint32_t depth,
                                                            std::uint32_t object,
                                                            std::uint32_t ordinal, const char* p) {
    if (depth > kMaxDepth) return 0;
    const Pattern& pattern = patterns_[depth - 1];
    if (pattern.owner == object + 1 || ordinal >= pattern.size) return 0;
    const KeyPlace known = pattern.keys[ordinal];
    const std::uint32_t size = known.length + 2;
    return size <= 32 && Kernel::same(base_ + known.offset - 1, p, size) ? size : 0;
  }

  /// True if the key is certainly different from those before it in the object.
  __attribute__((always_inline)) bool is_new(std::uint32_t depth, std::uint32_t object,
                                             std::uint32_t ordinal, KeyPlace key) {
    if (depth > kMaxDepth) return insert_if_new(object, key);
    Pattern& pattern = patterns_[depth - 1];
    if (pattern.owner != object + 1 && ordinal < pattern.size) {
      const KeyPlace known = pattern.keys[ordinal];
      if (known.length == key.length &&
          Kernel::same(base_ + known.offset, base_ + key.offset, key.length)) {
        return true;
      }
    }
    return is_new_after_mismatch(pattern, object, ordinal, key);
  }

 private:
  static constexpr std::uint32_t kMaxDepth = 12;
  static constexpr std::uint32_t kMaxPatternKeys = 32;

  struct Pattern {
    std::uint32_t owner;  ///< container index + 1 of the object that recorded the pattern
    std::uint32_t size;
    KeyPlace keys[kMaxPatternKeys];  ///< all different
  };

  // The object deviates from the pattern: its keys so far go into the hash table.
  __attribute__((noinline)) bool is_new_after_mismatch(Pattern& pattern, std::uint32_t object,
                                                       std::uint32_t ordinal, KeyPlace key) {
    bool sure = true;
    if (pattern.owner != object + 1) {
      pattern.owner = object + 1;
      if (pattern.size > ordinal) pattern.size = ordinal;
      for (std::uint32_t i = 0; i < pattern.size; ++i)
        sure &= insert_if_new(object, pattern.keys[i]);
      if (!sure) pattern.size = 0;  // the table is full: nothing is certain
    }
    sure &= insert_if_new(object, key);
    if (sure && pattern.size == ordinal && ordinal < kMaxPatternKeys)
      pattern.keys[pattern.size++] = key;
    return sure;
  }

  // Adds a key to the table; false for a duplicate, or if the table is full.
  bool insert_if_new(std::uint32_t object, KeyPlace key) {
    const std::uint32_t hash = key_hash(base_ + key.offset, key.length);
    for (std::uint32_t probe = 0; probe < 4; ++probe) {
      KeySlot& slot = slots_[(hash + probe) & slot_mask_];
      if (slot.object == object + 1) {
        if (slot.length == key.length &&
            std::memcmp(base_ + slot.offset, base_ + key.offset, key.length) == 0) {
          return false;
        }
        continue;
      }
      const bool taken = slot.object != 0 && containers_[slot.object - 1].end == 0;
      if (taken) continue;  // belongs to an enclosing object that is still open
      slot = KeySlot{object + 1, key.offset, key.length};
      return true;
    }
    return false;
  }

  const char* base_;
  const Containers& containers_;
  KeySlot* slots_;
  std::uint32_t slot_mask_;
  Pattern patterns_[kMaxDepth];
};

}  // namespace
}  // namespace enfold::json::detail
