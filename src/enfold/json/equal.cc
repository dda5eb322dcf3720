// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/document.h"

#include <algorithm>
#include <string>
#include <vector>

namespace enfold::json {
namespace {

struct Entry {
  std::string key;
  View value;
};

// The members a reader would see: sorted by key, of equal keys the last.
std::vector<Entry> effective_members(View object) {
  std::vector<Entry> entries;
  entries.reserve(object.size());
  for (const Member& member : object.members())
    entries.push_back({member.key.string(), member.value});
  // Equal keys stay in the order of the text.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.value.offset() < b.value.offset();
  });
  std::vector<Entry> last;
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
    if (!equal(item, *other)) return false;
    ++other;
  }
  return true;
}

}  // namespace

bool equal(View a, View b) {
  if (a.raw() == b.raw()) return true;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::string: return (a.has_escapes() || b.has_escapes()) && a.string() == b.string();
    case Kind::array: return equal_arrays(a, b);
    case Kind::object: {
      const auto left = effective_members(a);
      const auto right = effective_members(b);
      return std::equal(
          left.begin(), left.end(), right.begin(), right.end(),
          [](const Entry& x, const Entry& y) { return x.key == y.key && equal(x.value, y.value); });
    }
    default: return false;  // literals and numbers are equal by text only
  }
}

}  // namespace enfold::json
