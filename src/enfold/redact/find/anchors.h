// SPDX-License-Identifier: Apache-2.0
// The prefilter finds positions where a secret, or the key in front of one, may start. It tests
// four bytes with four table lookups, whatever the number of patterns, so ordinary text costs a few
// cycles per byte. The matchers (scanner.h) decide which candidates are secrets.
#pragma once

#include "enfold/redact/redact.h"

#include <algorithm>
#include <array>

namespace enfold::redact::detail {

/// An anchor is a text of up to four bytes that hints at one kind of secret. Each anchor has a bit;
/// a candidate is a position where at least one anchor matches. The kPrefixBits lowest bits are for
/// the prefixes of access tokens, such as `ghp_`.
inline constexpr int kPrefixBits = 26;
enum Anchor : std::uint64_t {
  kPrefixAnchor = (std::uint64_t{1} << kPrefixBits) - 1,
  kPgpassAnchor = std::uint64_t{1} << 26,      ///< `:5432`, `:*:`
  kIdentifiedAnchor = std::uint64_t{1} << 27,  ///< `IDENTIFIED BY`, in SQL
  kDiscordAnchor = std::uint64_t{1} << 28,     ///< the Base64 of three digits: starts a token
  kHashAnchor = std::uint64_t{1} << 29,        ///< `$6$`, `$2b$`
  kLongOption = std::uint64_t{1} << 30,        ///< `--user`
  kShortOption = std::uint64_t{1} << 31,       ///< ` -p`
  kOptionAnchor = kLongOption | kShortOption,
  kTildeMark = std::uint64_t{1} << 32,  ///< `Q~`, in the middle of a token
  kWordMark = std::uint64_t{1} << 33,   ///< a longer mark, such as `AZDO`; `@tcp`
  kMarkAnchor = kTildeMark | kWordMark,
  kHiddenCharacter = std::uint64_t{1} << 34,  ///< zero-width characters, embeddings
  kColourCode = std::uint64_t{1} << 35,  ///< colours of a terminal; soft hyphens, U+206x, selectors
  // Hidden characters have no more bits of their own: U+034F, U+061C, tags and those of shorthand
  // and music share kTildeMark, those of Hangul, Khmer and Mongolian kHashAnchor, U+FFA0 and U+FFFx
  // kColourCode. UTF-8 does not mix them with ASCII.
  kHiddenAnchor = kHiddenCharacter | kColourCode | kTildeMark | kHashAnchor,
  kNestedEscape = std::uint64_t{1} << 36,  ///< `\u00`, `:\/\/`: see is_nested_escape
  kUrlAnchor = std::uint64_t{1} << 37,     ///< `://`
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

/// For each of the four bytes of an anchor, the mask of anchors that each byte value allows. The
/// sieve is a coarser version for vector instructions: anchors share sixteen bits, in two tables of
/// eight, and a byte is looked up by its two nibbles.
struct AnchorTables {
  std::array<std::array<std::uint64_t, 256>, 4> at{};  ///< by place in the anchor and byte value
  struct Halves {                                      ///< by the low and the high nibble of a byte
    std::array<std::uint8_t, 16> low{};
    std::array<std::uint8_t, 16> high{};
  };
  std::array<std::array<Halves, 4>, 2> sieve{};  ///< by table and place in the anchor
};

/// The mask of anchors at `at`, which must be followed by three more bytes; 0: no candidate.
[[nodiscard]] inline std::uint64_t anchors_at(const AnchorTables& tables, const char* at) {
  const auto look = [&](std::size_t place) {
    return tables.at[place][static_cast<unsigned char>(at[place])];
  };
  return look(0) & look(1) & look(2) & look(3);
}

/// Whether a JSON escape at `at` hides text from the matchers: `\u0070`, the slashes of a URL, or a
/// hidden character.
[[nodiscard]] bool is_nested_escape(std::string_view text, std::size_t at);

struct Candidate {
  std::size_t at;         ///< offset in the text; the size of the text if there is no candidate
  std::uint64_t anchors;  ///< mask; 0 if there is no candidate
};

/// The anchors of JSON escapes, hidden characters and terminal codes.
extern const AnchorTables kObstaclesOnly;
/// These and the anchors of credentials.
extern const AnchorTables kCredentials;

class Prefilter {
 public:
  explicit Prefilter(const Policy& policy)
      : tables_(policy.credentials ? &kCredentials : &kObstaclesOnly) {
    if (policy.personal_data || !policy.extra_keys.empty()) extend(policy);
  }
  [[nodiscard]] const AnchorTables& tables() const { return *tables_; }
  [[nodiscard]] bool passes(std::string_view text) const;

 private:
  void extend(const Policy& policy);

  /// Tables with personal data and extra keys; null if the policy has neither.
  std::unique_ptr<AnchorTables> policy_tables_;
  const AnchorTables* tables_;
};

/// The candidates of one text, from left to right. The text is searched in batches of candidates,
/// so each byte is read once.
class Candidates {
 public:
  /// Both arguments must outlive this object.
  Candidates(const Prefilter& prefilter, std::string_view text)
      : tables_(&prefilter.tables()), text_(text) {}

  /// The first candidate at or after `from`. `from` must not be less than in the last call.
  [[nodiscard]] Candidate next(std::size_t from) {
    while (true) {
      while (first_ < batch_.size && batch_.items[first_].at < from) ++first_;
      if (first_ < batch_.size) return batch_.items[first_];
      if (searched_ >= text_.size() || from >= text_.size()) return {text_.size(), 0};
      searched_ = std::max(searched_, from);
      search();
    }
  }

  /// Candidates of one search. The search adds up to `kBlock` candidates at a time, and stops when
  /// there is no room for so many.
  struct Batch {
    static constexpr std::size_t kBlock = 32;
    std::array<Candidate, 2 * kBlock> items;
    std::size_t size = 0;
    [[nodiscard]] bool is_full() const { return size > items.size() - kBlock; }
    void add(const Candidate& candidate) { items[size++] = candidate; }
  };

 private:
  /// Replaces the batch by the candidates that follow, and moves `searched_` past them.
  void search();

  const AnchorTables* tables_;
  std::string_view text_;
  Batch batch_;
  std::size_t first_ = 0;     ///< index in the batch; `next` has skipped the candidates before
  std::size_t searched_ = 0;  ///< the end of the text searched so far
};

}  // namespace enfold::redact::detail
