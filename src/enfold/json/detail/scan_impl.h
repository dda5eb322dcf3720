// SPDX-License-Identifier: Apache-2.0
// The scanner, a template over the kernel for strings and numbers. Included only by the translation
// units that compile it for one instruction set. Uses no std templates: their instantiations could
// be linked into code for older processors.
//
// A Kernel has
//   string_end(p, end, scan, escaped): the closing quote; `p` is just after the opening quote.
//     nullptr: invalid or not closed. Sets `escaped` if there is an escape.
//   number_end(p): as the function of this name below.
//   same(a, b, length): whether the bytes are equal; may read past them, into the padding.
#pragma once

#include "enfold/json/detail/scan.h"

#include <cstring>

namespace enfold::json::detail {
namespace {

// Detection of duplicate keys. False positives are possible: the parser checks suspect objects
// exactly after the scan. False negatives are impossible.

struct KeyPlace {
  std::uint32_t offset;  ///< after the opening quote
  std::uint32_t length;
};

// kLowBytes[n] keeps the n lowest bytes of a number.
constexpr std::uint64_t kLowBytes[9] = {0,
                                        0xFF,
                                        0xFFFF,
                                        0xFFFFFF,
                                        0xFFFFFFFF,
                                        0xFFFFFFFFFF,
                                        0xFFFFFFFFFFFF,
                                        0xFFFFFFFFFFFFFF,
                                        0xFFFFFFFFFFFFFFFF};

// Hashes keys of up to 16 bytes whole, longer ones by their first and last eight bytes. Has no
// branches, because key lengths are unpredictable. The padding makes it safe to read past a key.
inline std::uint32_t key_hash(const char* key, std::uint32_t length) {
  const std::uint32_t part = length < 8 ? length : 8;
  const std::uint64_t kept = kLowBytes[part];
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  std::memcpy(&head, key, 8);
  std::memcpy(&tail, key + (length - part), 8);
  return mix_key(head & kept, tail & kept, length);
}

// Records of one list mostly have the same keys in the same order. So the keys of an object are
// first compared with those of the last object at its depth, which are all different; from the
// first mismatch on, a small hash table is used.
// In all functions `depth` is 1 for the root, `object` is the object's index in Containers, and
// `ordinal` is the number of members before the key.
template <class Kernel>
class DuplicateKeyFilter {
 public:
  DuplicateKeyFilter(const char* base, Scan& scan)
      : base_(base),
        containers_(*scan.containers),
        document_keys_(*scan.document_keys),
        slots_(scan.keys),
        slot_mask_(scan.key_mask) {
    for (Pattern& pattern : patterns_) pattern.owner = pattern.size = 0;
  }

  /// If the key at `p` equals the key of the last object at this depth in the same position,
  /// returns its size with quotes. Then the key is no duplicate, because the keys before it were
  /// equal too, and the scanner need not search its closing quote. Otherwise returns 0.
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

  /// True if the key is certainly different from those before it in the object. False: it may be a
  /// duplicate.
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
  static constexpr std::uint32_t kMaxDepth = 12;  ///< deeper objects have no pattern
  static constexpr std::uint32_t kMaxPatternKeys = 32;

  /// The first keys of the last object at one depth, in order.
  struct Pattern {
    std::uint32_t owner;  ///< index in Containers, plus 1, of the object that recorded the pattern
    std::uint32_t size;   ///< number of keys
    KeyPlace keys[kMaxPatternKeys];  ///< all different
  };

  // The object deviates from the pattern: its keys so far go into the hash table, and it becomes
  // the pattern's owner, whose further keys extend the pattern.
  __attribute__((noinline)) bool is_new_after_mismatch(Pattern& pattern, std::uint32_t object,
                                                       std::uint32_t ordinal, KeyPlace key) {
    bool sure = true;  // no key of the object is a duplicate so far
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
    document_keys_.add(hash);
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
  DocumentKeys& document_keys_;
  KeySlot* slots_;
  std::uint32_t slot_mask_;
  Pattern patterns_[kMaxDepth];
};

inline bool is_digit(char c) { return static_cast<unsigned>(c - '0') < 10U; }

// `p` is at a digit or minus. Returns the end of the number, nullptr if it is invalid.
inline const char* number_end(const char* p) {
  if (*p == '-') ++p;
  if (*p == '0') {
    ++p;
  } else {
    if (!is_digit(*p)) return nullptr;
    while (is_digit(*p)) ++p;
  }
  if (*p == '.') {
    if (!is_digit(*++p)) return nullptr;
    while (is_digit(*p)) ++p;
  }
  if ((*p | 0x20) == 'e') {
    ++p;
    if (*p == '+' || *p == '-') ++p;
    if (!is_digit(*p)) return nullptr;
    while (is_digit(*p)) ++p;
  }
  return p;
}

template <class Kernel>
void scan_document(const char* base, std::size_t size, const Limits& limits, Scan& scan) {
  Containers& containers = *scan.containers;
  DuplicateKeyFilter<Kernel> keys(base, scan);
  const std::size_t max_elements = limits.max_elements;
  // Container::count has 30 bits. The usual limit of elements is lower. With a higher limit, the
  // count of an array of 2^30 items or more, which takes 2 GiB, is wrong.
  constexpr std::uint32_t kCountMask = (std::uint32_t{1} << 30) - 1;
  const char* const end = base + size;
  const char* p = base;
  const char* last_space = nullptr;  // the last white space between tokens; nullptr: none so far
  std::uint32_t depth = 0;           // number of open containers
  // Index of the innermost open container. While a container is open, its `next` holds the parent's
  // index and its `end` is 0.
  std::uint32_t current = 0;
  std::uint32_t count = 0;   // children of `current` so far
  std::size_t elements = 0;  // values so far, at all depths
  bool in_object = false;    // `current` is an object
  Kernel kernel(base);

  const auto skip_space = [&] {
    while (static_cast<unsigned char>(*p) <= ' ') {
      if (*p != ' ' && *p != '\n' && *p != '\t' && *p != '\r') return;
      last_space = p++;
    }
  };
  const auto offset_of = [&](const char* place) {
    return static_cast<std::uint32_t>(place - base);
  };
  const auto stop = [&](Fault fault) {
    scan.fault = fault;
    scan.fault_at = static_cast<std::size_t>((p < end ? p : end) - base);
  };

  skip_space();
  scan.root_begin = offset_of(p);

value:
  if (++elements > max_elements) return stop(Fault::too_many_elements);
  if (*p == '"') {
    bool escaped = false;
    const char* close_quote = kernel.string_end(p + 1, end, scan, escaped);
    if (close_quote == nullptr) return stop(Fault::bad_string);
    p = close_quote + 1;
    goto after_value;
  }
  switch (*p) {
    case '{':
    case '[': {
      if (depth == limits.max_depth) return stop(Fault::too_deep);
      if (containers.size() >= limits.max_containers) return stop(Fault::too_many_containers);
      const std::uint32_t opened = containers.push(offset_of(p));
      if (depth++ != 0) containers[current].count = count & kCountMask;
      containers[opened].next = current;
      current = opened;
      count = 0;
      in_object = *p == '{';
      ++p;
      skip_space();
      if (in_object) {
        if (*p == '}') goto close;
        goto key;
      }
      if (*p == ']') goto close;
      count = 1;
      goto value;
    }
    case 't':
      if (std::memcmp(p, "true", 4) != 0) return stop(Fault::bad_literal);
      p += 4;
      break;
    case 'f':
      if (std::memcmp(p, "false", 5) != 0) return stop(Fault::bad_literal);
      p += 5;
      break;
    case 'n':
      if (std::memcmp(p, "null", 4) != 0) return stop(Fault::bad_literal);
      p += 4;
      break;
    default: {
      if (*p != '-' && !is_digit(*p)) return stop(Fault::value_expected);
      const char* after = Kernel::number_end(p);
      if (after == nullptr) return stop(Fault::bad_number);
      p = after;
    }
  }

after_value:
  // Most texts are minified: check for the expected byte before skipping white space.
  if (*p != ',') {
    if (depth == 0) goto finish;
    skip_space();
  }
  if (*p == ',') {
    if (depth == 0) goto finish;
    ++p;
    skip_space();
    if (in_object) goto key;
    ++count;
    goto value;
  }
  if (*p != (in_object ? '}' : ']')) {
    return stop(in_object ? Fault::comma_or_brace_expected : Fault::comma_or_bracket_expected);
  }

close: {
  ++p;
  Container& closed = containers[current];
  const std::uint32_t parent = closed.next;
  closed.end = offset_of(p);
  closed.next = containers.size();
  closed.count = count & kCountMask;
  closed.compact = last_space == nullptr || offset_of(last_space) < closed.begin;
  // The table that looks for repeated keys is too small for so many: the parser checks this object.
  if (in_object && count > limits.wide_object_members) {
    closed.suspect = 1;
    scan.any_suspect = true;
  }
  if (--depth == 0) goto finish;
  current = parent;
  count = containers[current].count;
  in_object = base[containers[current].begin] == '{';
  goto after_value;
}

key: {
  if (const std::uint32_t known = keys.same_as_last(depth, current, count, p); known != 0) {
    p += known;
  } else {
    if (*p != '"') return stop(Fault::key_expected);
    bool escaped = false;
    const char* close_quote = kernel.string_end(p + 1, end, scan, escaped);
    if (close_quote == nullptr) return stop(Fault::bad_string);
    const auto length = static_cast<std::uint32_t>(close_quote - p - 1);
    if (escaped || !keys.is_new(depth, current, count, {offset_of(p + 1), length})) {
      containers[current].suspect = 1;
      scan.any_suspect = true;
    }
    p = close_quote + 1;
  }
  ++count;
  if (*p != ':') {
    skip_space();
    if (*p != ':') return stop(Fault::colon_expected);
  }
  ++p;
  skip_space();
  goto value;
}

finish:
  scan.root_end = offset_of(p);
  skip_space();
  if (p < end) stop(Fault::trailing_bytes);
}

inline bool is_hex(char c) { return is_digit(c) || static_cast<unsigned>((c | 0x20) - 'a') < 6U; }

// `p` is at a backslash. Returns the end of the escape, nullptr if it is invalid.
inline const char* escape_end(const char* p, Scan& scan) {
  switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': return p + 2;
    case 'u':
      if (!(is_hex(p[2]) && is_hex(p[3]) && is_hex(p[4]) && is_hex(p[5]))) return nullptr;
      if ((p[2] | 0x20) == 'd' && p[3] > '7') scan.any_surrogate = true;
      return p + 6;
    default: return nullptr;
  }
}

}  // namespace
}  // namespace enfold::json::detail
