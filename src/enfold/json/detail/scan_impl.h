// SPDX-License-Identifier: Apache-2.0
// The scanner itself, a template over the string kernel. Included only by the translation units
// that compile it for one instruction set; uses nothing from std that could be instantiated there.
#pragma once

#include "enfold/json/detail/scan.h"

#include <cstring>

namespace enfold::json::detail {
namespace {

inline bool is_digit(char c) { return static_cast<unsigned>(c - '0') < 10U; }

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

// Keys up to 16 bytes are hashed whole, longer ones by both ends; equality decides in any case.
inline std::uint32_t key_hash(const char* key, std::uint32_t length) {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  std::memcpy(&head, key, 8);  // padding makes the over-read safe
  if (length < 8) {
    head &= (std::uint64_t{1} << (8 * length)) - 1;
  } else {
    std::memcpy(&tail, key + length - 8, 8);
  }
  const std::uint64_t mixed =
      (head ^ (tail * 0x9E3779B97F4A7C15ULL) ^ length) * 0xD6E8FEB86659FD93ULL;
  return static_cast<std::uint32_t>(mixed >> 40);
}

// True when the key is certainly new in its object. False asks for a second look after the scan:
// it may be a repetition, or the small table was full.
inline bool note_key(const char* base, Scan& scan, std::uint32_t object, std::uint32_t offset,
                     std::uint32_t length) {
  const std::uint32_t hash = key_hash(base + offset, length);
  for (std::uint32_t probe = 0; probe < 4; ++probe) {
    KeySlot& slot = scan.keys[(hash + probe) & scan.key_mask];
    if (slot.object == object + 1) {
      if (slot.length == length && std::memcmp(base + slot.offset, base + offset, length) == 0) {
        return false;
      }
      continue;
    }
    const bool taken = slot.object != 0 && (*scan.containers)[slot.object - 1].end == 0;
    if (taken) continue;  // belongs to an enclosing object that is still open
    slot = KeySlot{object + 1, offset, length};
    return true;
  }
  return false;
}

template <class Strings>
void scan_document(const char* base, std::size_t size, const Limits& limits, Scan& scan) {
  Containers& containers = *scan.containers;
  const char* const end = base + size;
  const char* p = base;
  const char* last_space = nullptr;
  std::uint32_t depth = 0;
  std::uint32_t current = 0;  // the innermost open container; its parent hangs in `next`
  std::uint32_t count = 0;    // children of `current` so far
  std::size_t elements = 0;
  bool in_object = false;

  const auto skip_space = [&] {
    while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r') last_space = p++;
  };
  const auto at = [&](const char* place) { return static_cast<std::uint32_t>(place - base); };
  const auto stop = [&](Fault fault) {
    scan.fault = fault;
    scan.fault_at = static_cast<std::size_t>((p < end ? p : end) - base);
  };

  skip_space();
  scan.root_begin = at(p);

value:
  if (++elements > limits.max_elements) return stop(Fault::too_many_elements);
  switch (*p) {
    case '{':
    case '[': {
      if (depth == limits.max_depth) return stop(Fault::too_deep);
      const std::uint32_t opened = containers.push(at(p));
      if (depth++ != 0) containers[current].count = count & 0x3FFFFFFFU;
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
    case '"': {
      const char* close_quote = Strings::end(p + 1, end, scan);
      if (close_quote == nullptr) return stop(Fault::bad_string);
      p = close_quote + 1;
      break;
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
      const char* after = number_end(p);
      if (after == nullptr) return stop(Fault::bad_number);
      p = after;
    }
  }

after_value:
  if (depth == 0) goto finish;
  skip_space();
  if (*p == ',') {
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
  closed.end = at(p);
  closed.next = containers.size();
  closed.count = count & 0x3FFFFFFFU;
  closed.compact = last_space == nullptr || at(last_space) < closed.begin;
  if (in_object && count > limits.wide_object_members) {
    closed.suspect = 1;
    scan.any_suspect = true;
  }
  if (--depth != 0) {
    current = parent;
    count = containers[current].count;
    in_object = base[containers[current].begin] == '{';
  }
  goto after_value;
}

key: {
  if (*p != '"') return stop(Fault::key_expected);
  const char* close_quote = Strings::end(p + 1, end, scan);
  if (close_quote == nullptr) return stop(Fault::bad_string);
  const auto length = static_cast<std::uint32_t>(close_quote - p - 1);
  const bool escaped = Strings::last_had_escape(p + 1, close_quote);
  if (escaped || !note_key(base, scan, current, at(p + 1), length)) {
    containers[current].suspect = 1;
    scan.any_suspect = true;
  }
  ++count;
  p = close_quote + 1;
  skip_space();
  if (*p != ':') return stop(Fault::colon_expected);
  ++p;
  skip_space();
  goto value;
}

finish:
  scan.root_end = at(p);
  skip_space();
  if (p < end) stop(Fault::trailing_bytes);
}

inline bool is_hex(char c) { return is_digit(c) || static_cast<unsigned>((c | 0x20) - 'a') < 6U; }

// `p` at a backslash. One past the escape, nullptr when it is not one.
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
