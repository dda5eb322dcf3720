// SPDX-License-Identifier: Apache-2.0
// The scanner: one pass over untrusted bytes that checks the grammar and indexes the containers.
// Compiled once per instruction set and chosen at run time; all variants accept the same texts.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/json/detail/document_keys.h"

namespace enfold::json::detail {

enum class Fault : std::uint8_t {
  none,
  value_expected,
  key_expected,
  colon_expected,
  comma_or_brace_expected,
  comma_or_bracket_expected,
  bad_string,
  bad_number,
  bad_literal,
  trailing_bytes,
  too_deep,
  too_many_elements,
  too_many_containers,
};

/// A slot of the hash table of keys in open objects.
struct KeySlot {
  std::uint32_t object;  ///< container index + 1; 0 = free
  std::uint32_t offset;  ///< of the key, without quotes
  std::uint32_t length;
};

struct Scan {
  Containers* containers;
  DocumentKeys* document_keys;  ///< gets every key without escapes
  KeySlot* keys;                ///< `key_mask + 1` zeroed slots, a power of two
  std::uint32_t key_mask;
  bool any_suspect = false;    ///< some object may hold a key twice; the parser looks
  bool any_surrogate = false;  ///< some \u escape is a surrogate, paired or not
  std::uint32_t root_begin = 0;
  std::uint32_t root_end = 0;
  Fault fault = Fault::none;
  std::size_t fault_at = 0;  ///< offset; of a bad string its opening quote
};

using ScanFunction = void (*)(const char* base, std::size_t size, const Limits& limits, Scan& scan);

void scan_baseline(const char* base, std::size_t size, const Limits& limits, Scan& scan);
#if defined(__x86_64__)
void scan_avx2(const char* base, std::size_t size, const Limits& limits, Scan& scan);
#endif

/// The fastest variant this processor runs.
[[nodiscard]] ScanFunction best_scan();

}  // namespace enfold::json::detail
