// SPDX-License-Identifier: Apache-2.0
// The prefilter finds positions where a secret, or the key in front of one, may start. It tests
// four bytes with four table lookups, whatever the number of patterns, so ordinary text costs a few
// cycles per byte. The matchers decide on each candidate.
#pragma once

#include "enfold/redact/redact.h"

#include <array>

namespace enfold::redact::detail {

/// An anchor is a text of up to four bytes that hints at one kind of secret. Each anchor has a bit;
/// a candidate is a position where at least one anchor matches. The lower bits are for the prefixes
/// of access tokens, such as `ghp_`.
inline constexpr int kPrefixBits = 26;
enum Anchor : std::uint64_t {
  kPrefixAnchor = (std::uint64_t{1} << kPrefixBits) - 1,
  kPgpassAnchor = std::uint64_t{1} << 26,      ///< `:5432`, `:*:`
  kIdentifiedAnchor = std::uint64_t{1} << 27,  ///< `IDENTIFIED BY`, in SQL
  kDiscordAnchor = std::uint64_t{1} << 28,     ///< the Base64 of three digits
  kHashAnchor = std::uint64_t{1} << 29,        ///< `$6$`, `$2b$`
  kOptionAnchor = std::uint64_t{3} << 30,      ///< ` -p`, `--user`; two bits
  kMarkAnchor = std::uint64_t{3} << 32,        ///< in the middle of a token; two bits
  kHiddenAnchor = std::uint64_t{3} << 34,      ///< zero-width characters, colours; two bits
  kNestedEscape = std::uint64_t{1} << 36,      ///< `\u00`, `:\/\/`: see is_nested_escape
  kUrlAnchor = std::uint64_t{1} << 37,         ///< `://`
  kJwtAnchor = std::uint64_t{1} << 38,
  kPemAnchor = std::uint64_t{1} << 39,
  kBearerAnchor = std::uint64_t{1} << 40,
  kBotAnchor = std::uint64_t{1} << 41,   ///< `:AA`, in a Telegram bot token
  kHookAnchor = std::uint64_t{1} << 42,  ///< `hook`, in a webhook URL
  kEmailAnchor = std::uint64_t{1} << 43,
  kDigitAnchor = std::uint64_t{1} << 44,
  kBasicAnchor = std::uint64_t{1} << 62,  ///< `basi`, in `Basic` authorization
  /// Bits 45 to 61: fragments of key names such as `password`. Bit 63: key names of personal data,
  /// and the policy's extra keys.
  kKeywordAnchor = ~((std::uint64_t{1} << 45) - 1) & ~kBasicAnchor,
};

/// For each of four positions, the anchors that each byte allows. The sieve is a coarser version
/// for vector instructions: anchors share sixteen bits, in two tables of eight, and a byte is
/// looked up by its two nibbles.
struct AnchorTables {
  std::array<std::array<std::uint64_t, 256>, 4> at{};  ///< by position and byte
  struct Halves {                                      ///< by the low and the high nibble of a byte
    std::array<std::uint8_t, 16> low{};
    std::array<std::uint8_t, 16> high{};
  };
  std::array<std::array<Halves, 4>, 2> sieve{};
};

/// The anchors at `at`, which must be followed by three more bytes.
[[nodiscard]] inline std::uint64_t anchors_at(const AnchorTables& tables, const char* at) {
  const auto look = [&](std::size_t place) {
    return tables.at[place][static_cast<unsigned char>(at[place])];
  };
  return look(0) & look(1) & look(2) & look(3);
}

/// Whether a JSON escape at `at` hides text from the matchers: `\u0070`, the slashes of a URL, or a
/// zero-width character.
[[nodiscard]] bool is_nested_escape(std::string_view text, std::size_t at);

struct Candidate {
  std::size_t at;  ///< position; the size of the text if there is no candidate
  std::uint64_t anchors;
};

class Prefilter {
 public:
  explicit Prefilter(const Policy& policy);
  [[nodiscard]] Candidate next(std::string_view text, std::size_t from) const;

 private:
  /// Tables with personal data and extra keys; null if the policy has neither.
  std::unique_ptr<AnchorTables> policy_tables_;
  const AnchorTables* tables_;
};

}  // namespace enfold::redact::detail
