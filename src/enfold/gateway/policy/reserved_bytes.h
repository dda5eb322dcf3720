// SPDX-License-Identifier: Apache-2.0
// How much memory the calls of each client (ClientShare) hold or will probably need. One client may
// use a quarter of a bound.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

namespace enfold::gateway {

struct ReservedBytes {
  std::size_t total = 0;
  std::unordered_map<std::string, std::size_t> by_owner;  ///< no value is 0

  [[nodiscard]] bool has_room(const std::string& owner, std::size_t bound) const {
    const auto own = by_owner.find(owner);
    return total < bound && (own == by_owner.end() || own->second < bound / 4);
  }
  void add(const std::string& owner, std::size_t bytes) {
    if (bytes > 0) by_owner[owner] += bytes;
    total += bytes;
  }
  void remove(const std::string& owner, std::size_t bytes) {
    total -= bytes;
    const auto own = by_owner.find(owner);
    if (own == by_owner.end() || bytes == 0) return;
    own->second -= bytes;
    if (own->second == 0) by_owner.erase(own);
  }
  /// Adds the bytes until the returned object is destroyed.
  [[nodiscard]] static std::shared_ptr<void> reserve(const std::shared_ptr<ReservedBytes>& in,
                                                     const std::string& owner, std::size_t bytes) {
    in->add(owner, bytes);
    return {in.get(), [in, owner, bytes](void* /*reserved*/) { in->remove(owner, bytes); }};
  }
};

}  // namespace enfold::gateway
