// SPDX-License-Identifier: Apache-2.0
// The scanner, a template over the kernel for strings and numbers. Included only by the translation
// units that compile it for one instruction set. Uses no std templates: their instantiations could
// be linked into code for older processors.
#pragma once

#include "enfold/json/detail/scan.h"
#include "enfold/json/detail/scan_keys.h"

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

template <class Kernel>
void scan_document(const char* base, std::size_t size, const Limits& limits, Scan& scan) {
  Containers& containers = *scan.containers;
  DuplicateKeyFilter<Kernel> keys(base, scan);
  const std::size_t max_elements = limits.max_elements;
  const char* const end = base + size;
  const char* p = base;
  const char* last_space = nullptr;
  std::uint32_t depth = 0;
  std::uint32_t current = 0;  // the innermost open container; `next` holds its parent meanwhile
  std::uint32_t count = 0;    // children of `current` so far
  std::size_t elements = 0;
  bool in_object = false;
  Kernel kernel(base);

  const auto skip_space = [&] {
    while (static_cast<unsigned char>(*p) <= ' ') {
      if (*p != ' ' && *p != '\n' && *p != '\t' && *p != '\r') return;
      last_space = p++;
    }
  };
  const auto at = [&](const char* place) { return static_cast<std::uint32_t>(place - base); };
  const auto stop = [&](Fault fault) {
    scan.fault = fault;
    scan.fault_at = static_cast<std::size_t>((p < end ? p : end) - base);
  };

  skip_space();
  scan.root_begin = at(p);

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
  closed.end = at(p);
  closed.next = containers.size();
  closed.count = count & 0x3FFFFFFFU;
  closed.compact = last_space == nullptr || at(last_space) < closed.begin;
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
    if (escaped || !keys.is_new(depth, current, count, {at(p + 1), length})) {
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
  scan.root_end = at(p);
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
