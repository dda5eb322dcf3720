// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/detail/schema_equal.h"

#include "enfold/json/detail/structure.h"
#include "enfold/json/number.h"

#include <cstring>
#include <string>

namespace enfold::json::detail {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t part) {
  hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 29;
}

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = mix(0x243f6a8885a308d3U, text.size());
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    hash = mix(hash, word);
    text.remove_prefix(sizeof word);
  }
  for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

bool schema_equal(View a, View b) {
  return equal_with(a, b, [](View x, View y) {
    if (x.is_number()) return Number(x.number()) == Number(y.number());
    return x.is_string() && equal_strings(x, y);
  });
}

std::uint64_t schema_hash(View value) {
  switch (value.kind()) {
    case Kind::null: return 1;
    case Kind::boolean: return value.boolean() ? 2 : 3;
    case Kind::number: return Number(value.number()).hash();
    case Kind::string:
      return hash_text(value.has_escapes() ? value.string() : value.string_source());
    case Kind::array: {
      std::uint64_t hash = 5;
      for (const View item : value.items()) hash = mix(hash, schema_hash(item));
      return hash;
    }
    case Kind::object: {
      std::uint64_t hash = 7;
      for (const Entry& entry : effective_members(value)) {
        hash = mix(mix(hash, hash_text(entry.key)), schema_hash(entry.value));
      }
      return hash;
    }
  }
  return 0;
}

}  // namespace enfold::json::detail
