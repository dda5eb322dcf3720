// SPDX-License-Identifier: Apache-2.0
// The prefilter: places where a secret, or the key in front of one, can start. Each place is told
// by four bytes and four table look-ups, whatever the number of patterns, so ordinary text costs
// a few cycles per byte. What is found here is only a candidate; the matchers decide.
#pragma once

#include "enfold/redact/policy.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace enfold::redact::detail {

/// Kinds of candidates as bits of a mask; the lower bits belong to the token prefixes.
inline constexpr int kPrefixBits = 36;
enum Anchor : std::uint64_t {
  kPrefixAnchor = (std::uint64_t{1} << kPrefixBits) - 1,
  kNestedEscape = std::uint64_t{1} << 36,  ///< `\u00`, `:\/\/`: see is_nested_escape
  kUrlAnchor = std::uint64_t{1} << 37,     ///< `://`
  kJwtAnchor = std::uint64_t{1} << 38,
  kPemAnchor = std::uint64_t{1} << 39,
  kBearerAnchor = std::uint64_t{1} << 40,
  kBotAnchor = std::uint64_t{1} << 41,   ///< `:AA`
  kHookAnchor = std::uint64_t{1} << 42,  ///< `hook`
  kEmailAnchor = std::uint64_t{1} << 43,
  kDigitAnchor = std::uint64_t{1} << 44,
  kBasicAnchor = std::uint64_t{1} << 62,
  kKeywordAnchor = ~((std::uint64_t{1} << 45) - 1) & ~kBasicAnchor,
};

/// What each of four places says about each byte. The sieve says the same less exactly: kinds share
/// one of eight bits, and a byte is looked up by its two halves, many bytes at a time.
struct AnchorTables {
  std::array<std::array<std::uint64_t, 256>, 4> at{};
  struct Halves {
    std::array<std::uint8_t, 16> low{};
    std::array<std::uint8_t, 16> high{};
  };
  std::array<Halves, 4> sieve{};
};

/// The kinds that can start at `at`, which has three bytes behind it.
[[nodiscard]] inline std::uint64_t anchors_at(const AnchorTables& tables, const char* at) {
  const auto look = [&](std::size_t place) {
    return tables.at[place][static_cast<unsigned char>(at[place])];
  };
  return look(0) & look(1) & look(2) & look(3);
}

/// The first place from `from` on where something can start, or the first of the bytes at the end
/// that it leaves to others.
[[nodiscard]] std::size_t sieve_avx2(const AnchorTables& tables, std::string_view text,
                                     std::size_t from);

/// Whether escapes at `at` hide ASCII text from the matchers: `\u0070`, or the slashes of a URL.
[[nodiscard]] bool is_nested_escape(std::string_view text, std::size_t at);

struct Candidate {
  std::size_t at;  ///< size of the text when there is none
  std::uint64_t anchors;
};

class Prefilter {
 public:
  explicit Prefilter(const Policy& policy);
  [[nodiscard]] Candidate next(std::string_view text, std::size_t from) const;

 private:
  std::unique_ptr<AnchorTables> own_;  ///< with extra keys, personal data or without credentials
  const AnchorTables* tables_;
};

}  // namespace enfold::redact::detail
