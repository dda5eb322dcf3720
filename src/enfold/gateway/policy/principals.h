// SPDX-License-Identifier: Apache-2.0
// Finds the principal that a key belongs to. Only hashes of keys are kept; a lookup costs the same
// for one principal and for thousands.
#pragma once

#include "enfold/gateway/config/settings.h"

#include <unordered_map>

namespace enfold::gateway {

class Principals {
 public:
  explicit Principals(const std::vector<Principal>& principals);

  /// The name of the principal with this key; nullopt: there is none.
  [[nodiscard]] std::optional<std::string> find(std::string_view key) const;
  [[nodiscard]] bool is_empty() const { return by_hash_.empty(); }

 private:
  /// By the first digits of the key's hash; `find` compares whole hashes in constant time.
  std::unordered_multimap<std::string, Principal> by_hash_;
};

}  // namespace enfold::gateway
