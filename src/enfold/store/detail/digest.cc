// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/detail/digest.h"

#include "enfold/base/hash.h"
#include "enfold/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::store::detail {
namespace {

constexpr std::string_view kHashPrefix = "sha256:";
constexpr std::size_t kHandleDigits = 12;
// Handles have no leading zero, so that a handle written as a number keeps its digits.
constexpr std::uint64_t kSmallestHandle = 100'000'000'000;
constexpr std::uint64_t kHandles = 900'000'000'000;
constexpr int kCandidates = 8;

std::string_view view(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Digest digest_of_parts(std::initializer_list<std::string_view> parts) {
  std::string joined;
  for (const std::string_view part : parts) {
    joined += fmt::format("{}:", part.size());
    joined += part;
  }
  return sha256(joined);
}

std::string hash_name(const Digest& hash) { return std::string(kHashPrefix) + to_hex(hash); }

std::optional<Digest> digest_from_hex(std::string_view hex) {
  Digest digest{};
  if (hex.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const int high = hex_value(hex[2 * i]);
    const int low = hex_value(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    digest[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return digest;
}

Handles handles_for(const Digest& owner, const Digest& hash) {
  Handles handles;
  for (int i = 0; i < kCandidates; ++i) {
    const Digest drawn =
        digest_of_parts({"enfold handle", view(owner), view(hash), fmt::format("{}", i)});
    std::uint64_t number = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) number = number << 8 | drawn[byte];
    handles.push_back(fmt::format("{}", kSmallestHandle + number % kHandles));
  }
  return handles;
}

std::optional<Reference> parse_reference(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() == kHandleDigits && std::all_of(text.begin(), text.end(), is_digit)) {
    return Reference{std::string(text), std::nullopt, {}};
  }
  if (!text.starts_with(kHashPrefix)) return std::nullopt;
  const auto hash = digest_from_hex(text.substr(kHashPrefix.size()));
  if (!hash) return std::nullopt;
  return Reference{"", hash, {}};
}

}  // namespace enfold::store::detail
