// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/principals.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"

namespace enfold::gateway {
namespace {

constexpr std::size_t kBucketDigits = 16;  // of the 64 hex digits of a hash, as key of the map

}  // namespace

Principals::Principals(const std::vector<Principal>& principals) {
  by_hash_.reserve(principals.size());
  for (const Principal& one : principals) {
    by_hash_.emplace(one.key_sha256.substr(0, kBucketDigits), one);
  }
}

// The bucket is chosen by a cryptographic hash of the key, so its timing reveals nothing about
// other keys; the candidate in it is compared in constant time.
std::optional<std::string> Principals::find(std::string_view key) const {
  const std::string hash = to_hex(sha256(key));
  const auto [begin, end] = by_hash_.equal_range(hash.substr(0, kBucketDigits));
  std::optional<std::string> found;
  for (auto candidate = begin; candidate != end; ++candidate) {
    if (equal_in_constant_time(candidate->second.key_sha256, hash)) {
      found = candidate->second.name;
    }
  }
  return found;
}

}  // namespace enfold::gateway
