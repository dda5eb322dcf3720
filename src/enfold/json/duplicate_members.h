// SPDX-License-Identifier: Apache-2.0
// Members that a later one of the same name hides: `find` and pointers lead to the last, but the
// others are there. They have a name of their own, by their position.
#pragma once

#include "enfold/json/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace enfold::json {

/// Their positions, in order. Takes no time for an object whose names are plain and differ.
[[nodiscard]] std::vector<std::size_t> hidden_members(View object);

/// "3..3", with zeros in front when a member goes by that name.
[[nodiscard]] std::string hidden_token(View object, std::size_t position);

/// The names of an object's members as tokens of a pointer, each for one of them.
class MemberTokens {
 public:
  MemberTokens() = default;
  explicit MemberTokens(View object) : object_(object), hidden_(hidden_members(object)) {}
  [[nodiscard]] bool is_hidden(std::size_t position) const;
  [[nodiscard]] std::string token(View key, std::size_t position) const;

 private:
  View object_;
  std::vector<std::size_t> hidden_;
};

}  // namespace enfold::json
