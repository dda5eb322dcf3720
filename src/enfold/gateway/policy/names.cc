// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/names.h"

#include "enfold/base/hash.h"

namespace enfold::gateway {
namespace {

constexpr std::size_t kHashDigits = 8;
constexpr std::string_view kHashPrefix = "sha256:";

}  // namespace

std::string shown_name(std::string_view upstream, std::string_view name) {
  std::string shown = shown_id(upstream, name);
  if (shown.size() <= kLongestName) return shown;
  const std::string hash = sha256_name(shown).substr(kHashPrefix.size(), kHashDigits);
  return shown.substr(0, kLongestName - kHashDigits - 1) + "_" + hash;
}

std::string shown_id(std::string_view upstream, std::string_view id) {
  std::string shown(upstream);
  shown.append(kNameSeparator).append(id);
  return shown;
}

}  // namespace enfold::gateway
