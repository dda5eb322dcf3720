// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/duplicate_members.h"

#include <algorithm>
#include <unordered_map>

namespace enfold::json {

std::vector<std::size_t> shadowed_members(View object) {
  std::vector<std::size_t> shadowed;
  if (!object.is_object() ||
      object.storage()->containers[detail::container_index(object)].suspect == 0) {
    return shadowed;
  }
  std::unordered_map<std::string, std::size_t> last;  // the last position of each key so far
  std::size_t position = 0;
  for (const Member& member : object.members()) {
    const auto [known, is_new] = last.try_emplace(member.key.string(), position);
    if (!is_new) shadowed.push_back(std::exchange(known->second, position));
    ++position;
  }
  std::sort(shadowed.begin(), shadowed.end());
  return shadowed;
}

std::string shadowed_token(View object, std::size_t position) {
  std::string token = std::to_string(position);
  token += ".." + token;
  while (object.find(token)) token.insert(0, 1, '0');
  return token;
}

bool MemberTokens::is_shadowed(std::size_t position) const {
  return std::binary_search(shadowed_.begin(), shadowed_.end(), position);
}

std::string MemberTokens::token(View key, std::size_t position) const {
  return is_shadowed(position) ? shadowed_token(object_, position) : key.string();
}

namespace detail {
namespace {

bool equal_arrays(View a, View b, bool (*scalars)(View, View)) {
  if (a.size() != b.size()) return false;
  auto other = b.items().begin();
  for (const View item : a.items()) {
    if (!equal_with(item, *other, scalars)) return false;
    ++other;
  }
  return true;
}

bool equal_objects(View a, View b, bool (*scalars)(View, View)) {
  const auto left = effective_members(a);
  const auto right = effective_members(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](const Entry& x, const Entry& y) {
                      return x.key == y.key && equal_with(x.value, y.value, scalars);
                    });
}

}  // namespace

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

bool equal_strings(View a, View b) {
  return (a.has_escapes() || b.has_escapes()) && a.string() == b.string();
}

bool equal_with(View a, View b, bool (*scalars)(View, View)) {
  if (a.raw() == b.raw()) return true;
  const Kind kind = a.kind();
  if (kind != b.kind()) return false;
  if (kind == Kind::array) return equal_arrays(a, b, scalars);
  if (kind == Kind::object) return equal_objects(a, b, scalars);
  return scalars(a, b);
}

}  // namespace detail

bool equal(View a, View b) {
  // Literals and numbers are equal only if their texts are. The texts differ here.
  return detail::equal_with(
      a, b, [](View x, View y) { return x.is_string() && detail::equal_strings(x, y); });
}

}  // namespace enfold::json
