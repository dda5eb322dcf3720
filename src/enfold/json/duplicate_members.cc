// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/duplicate_members.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace enfold::json {

std::vector<std::size_t> shadowed_members(View object) {
  std::vector<std::size_t> shadowed;
  if (!object.is_object() ||
      object.storage()->containers[detail::container_index(object)].suspect == 0) {
    return shadowed;
  }
  std::unordered_map<std::string, std::size_t> last;
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

}  // namespace enfold::json
