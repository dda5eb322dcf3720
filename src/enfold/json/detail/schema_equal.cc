// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/detail/schema_equal.h"

#include "enfold/json/number.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace enfold::json::detail {
namespace {

struct Entry {
  std::string key;
  View value;
};

// The members a reader would see: sorted by key, of equal keys the last.
std::vector<Entry> effective_members(View object) {
  std::vector<Entry> entries;
  entries.reserve(object.size());
  for (const Member& member : object.members()) {
    entries.push_back({member.key.string(), member.value});
  }
  // Equal keys stay in the order of the text.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.value.offset() < b.value.offset();
  });
  std::vector<Entry> last;
  last.reserve(entries.size());
  for (Entry& entry : entries) {
    if (!last.empty() && last.back().key == entry.key) {
      last.back() = std::move(entry);
    } else {
      last.push_back(std::move(entry));
    }
  }
  return last;
}

bool equal_arrays(View a, View b) {
  if (a.size() != b.size()) return false;
  auto other = b.items().begin();
  for (const View item : a.items()) {
    if (!schema_equal(item, *other)) return false;
    ++other;
  }
  return true;
}

bool equal_objects(View a, View b) {
  const auto left = effective_members(a);
  const auto right = effective_members(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Entry& x, const Entry& y) {
                      return x.key == y.key && schema_equal(x.value, y.value);
                    });
}

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
  if (a.raw() == b.raw()) return true;
  const Kind kind = a.kind();
  if (kind != b.kind()) return false;
  switch (kind) {
    case Kind::number: return Number(a.number()) == Number(b.number());
    case Kind::string: return (a.has_escapes() || b.has_escapes()) && a.string() == b.string();
    case Kind::array: return equal_arrays(a, b);
    case Kind::object: return equal_objects(a, b);
    default: return false;
  }
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
