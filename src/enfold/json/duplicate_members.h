// SPDX-License-Identifier: Apache-2.0
// Members of objects with duplicate keys, and equality. `find` and JSON Pointers reach the last
// member with a key; the earlier ones are shadowed. Enfold addresses a shadowed member by its
// position, as "3..3". Positions count the members of an object from 0, in the order of the text.
#pragma once

#include "enfold/json/document.h"

namespace enfold::json {

/// Positions of the shadowed members, in order. Takes constant time if the scanner has found that
/// the object has none.
[[nodiscard]] std::vector<std::size_t> shadowed_members(View object);

/// The pointer token of the shadowed member at this position: "3..3", with as many leading zeros as
/// make it different from every key of the object.
[[nodiscard]] std::string shadowed_token(View object, std::size_t position);

/// Gives each member of an object a different pointer token, not yet escaped.
class MemberTokens {
 public:
  MemberTokens() = default;
  explicit MemberTokens(View object) : object_(object), shadowed_(shadowed_members(object)) {}
  [[nodiscard]] bool is_shadowed(std::size_t position) const;
  /// The token of the member with this key at this position.
  [[nodiscard]] std::string token(View key, std::size_t position) const;

 private:
  View object_;
  std::vector<std::size_t> shadowed_;  ///< positions, sorted
};

// Parts of equality: arrays are compared item by item, objects by the members that `find` returns.
namespace detail {

struct Entry {
  std::string key;
  View value;
};

/// The members sorted by key; of equal keys only the last.
[[nodiscard]] std::vector<Entry> effective_members(View object);

/// Whether two values are equal. `scalars` decides about two scalars of the same kind whose texts
/// differ.
[[nodiscard]] bool equal_with(View a, View b, bool (*scalars)(View, View));

/// Whether two strings whose source texts differ have the same decoded text.
[[nodiscard]] bool equal_strings(View a, View b);

}  // namespace detail

}  // namespace enfold::json
