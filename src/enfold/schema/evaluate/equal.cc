// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/evaluate/equal.h"

#include "enfold/json/number.h"
#include "enfold/json/structure.h"

#include <cstring>
#include <string>

namespace enfold::schema::detail {
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

bool schema_equal(json::View a, json::View b) {
  return json::detail::equal_with(a, b, [](json::View x, json::View y) {
    if (x.is_number()) return json::Number(x.number()) == json::Number(y.number());
    return x.is_string() && json::detail::equal_strings(x, y);
  });
}

std::uint64_t schema_hash(json::View value) {
  switch (value.kind()) {
    case json::Kind::null: return 1;
    case json::Kind::boolean: return value.boolean() ? 2 : 3;
    case json::Kind::number: return json::Number(value.number()).hash();
    case json::Kind::string:
      return hash_text(value.has_escapes() ? value.string() : value.string_source());
    case json::Kind::array: {
      std::uint64_t hash = 5;
      for (const json::View item : value.items()) hash = mix(hash, schema_hash(item));
      return hash;
    }
    case json::Kind::object: {
      std::uint64_t hash = 7;
      for (const json::detail::Entry& entry : json::detail::effective_members(value)) {
        hash = mix(mix(hash, hash_text(entry.key)), schema_hash(entry.value));
      }
      return hash;
    }
  }
  return 0;
}

}  // namespace enfold::schema::detail
