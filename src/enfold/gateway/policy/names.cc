// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/names.h"

#include "enfold/base/hash.h"

namespace enfold::gateway {
namespace {

constexpr std::string_view kBetween = "__";
constexpr std::size_t kHashDigits = 8;
constexpr std::string_view kHashPrefix = "sha256:";

}  // namespace

std::string shown_name(std::string_view upstream, std::string_view name) {
  std::string shown = shown_id(upstream, name);
  if (shown.size() <= kLongestName) return shown;
  const std::string hash = sha256_name(shown).substr(kHashPrefix.size(), kHashDigits);
  return shown.substr(0, kLongestName - kHashDigits - 1) + "_" + hash;
}

std::string_view own_name(std::string_view upstream, std::string_view shown) {
  // A name of full length may be one that was cut; only the table knows.
  return shown.size() < kLongestName ? own_id(upstream, shown).value_or("") : std::string_view();
}

std::string shown_id(std::string_view upstream, std::string_view id) {
  std::string shown(upstream);
  shown.append(kBetween).append(id);
  return shown;
}

std::optional<std::string_view> own_id(std::string_view upstream, std::string_view shown) {
  if (!shown.starts_with(upstream)) return std::nullopt;
  shown.remove_prefix(upstream.size());
  if (!shown.starts_with(kBetween)) return std::nullopt;
  return shown.substr(kBetween.size());
}

}  // namespace enfold::gateway
