// SPDX-License-Identifier: Apache-2.0
// Members of objects with duplicate keys, and equality. `find` and JSON Pointers reach the last
// member with a key; the earlier ones are shadowed. Enfold addresses a shadowed member by its
// position, as "3..3".
#pragma once

#include "enfold/json/document.h"

namespace enfold::json {

/// Positions of the shadowed members, in order. Constant time if the scanner ruled them out.
[[nodiscard]] std::vector<std::size_t> shadowed_members(View object);

/// The pointer token of a shadowed member: "3..3", with leading zeros if a key is spelled like
/// that.
[[nodiscard]] std::string shadowed_token(View object, std::size_t position);

/// Gives each member of an object a different pointer token, not yet escaped.
class MemberTokens {
 public:
  MemberTokens() = default;
  explicit MemberTokens(View object) : object_(object), shadowed_(shadowed_members(object)) {}
  [[nodiscard]] bool is_shadowed(std::size_t position) const;
  [[nodiscard]] std::string token(View key, std::size_t position) const;

 private:
  View object_;
  std::vector<std::size_t> shadowed_;
};

// Equality of arrays (item by item) and objects (by the members that `find` returns).
namespace detail {

struct Entry {
  std::string key;
  View value;
};

/// The members sorted by key; of equal keys only the last.
[[nodiscard]] std::vector<Entry> effective_members(View object);

/// `scalars` compares two scalars of the same kind whose texts differ.
[[nodiscard]] bool equal_with(View a, View b, bool (*scalars)(View, View));

/// Compares the decoded texts of two strings whose source texts differ.
[[nodiscard]] bool equal_strings(View a, View b);

}  // namespace detail

}  // namespace enfold::json
