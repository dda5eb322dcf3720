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

/// A slot of the hash table that holds the keys of open objects.
struct KeySlot {
  std::uint32_t object;  ///< index of the object in Containers, plus 1; 0: the slot is free
  std::uint32_t offset;  ///< of the key in the document, after its opening quote
  std::uint32_t length;  ///< of the key, without quotes
};

/// The first four members are set by the caller, the others by the scanner.
struct Scan {
  Containers* containers;        ///< gets every array and object
  DocumentKeys* document_keys;   ///< gets every key without escapes
  KeySlot* keys;                 ///< a hash table of `key_mask + 1` zeroed slots, a power of two
  std::uint32_t key_mask;        ///< number of slots minus 1
  bool any_suspect = false;      ///< a container is `suspect`: the parser must look for duplicates
  bool any_surrogate = false;    ///< some \u escape is a surrogate, paired or not
  std::uint32_t root_begin = 0;  ///< offset of the root value
  std::uint32_t root_end = 0;    ///< one past the root value; valid if there is no fault
  Fault fault = Fault::none;
  std::size_t fault_at = 0;  ///< offset of the unexpected byte; of a bad string its opening quote
};

using ScanFunction = void (*)(const char* base, std::size_t size, const Limits& limits, Scan& scan);

void scan_baseline(const char* base, std::size_t size, const Limits& limits, Scan& scan);
#if defined(__x86_64__)
void scan_avx2(const char* base, std::size_t size, const Limits& limits, Scan& scan);
#endif

/// The fastest variant that this processor can run.
[[nodiscard]] ScanFunction best_scan();

}  // namespace enfold::json::detail
