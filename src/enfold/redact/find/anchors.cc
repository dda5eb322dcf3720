// SPDX-License-Identifier: Apache-2.0
#include "enfold/redact/find/anchors.h"

#include "enfold/redact/find/chars.h"
#include "enfold/redact/find/token_shapes.h"
#include "enfold/redact/key_names.h"
#include "enfold/redact/replace/unescape.h"

namespace enfold::redact::detail {
namespace {

constexpr std::string_view kLowerCase = "abcdefghijklmnopqrstuvwxyz";
constexpr int kFirstKeywordBit = 45;
// Shared by all extra keys and the key names of personal data.
constexpr std::uint64_t kExtraKeyBit = std::uint64_t{1} << 63;

// The bytes allowed at each of four places; an empty set allows any byte.
using Sets = std::array<std::string_view, 4>;

// Every sensitive key name contains one of these fragments; few other words do. Keyword i has the
// bit kFirstKeywordBit + i.
constexpr std::array<Sets, 17> kKeywords = {{
    {"sS", "sS", "wW", ""},             // password, passwd
    {"sS", "sS", "pP", "hH"},           // passphrase
    {"sS", "sS", "cC", "oO"},           // passcode
    {"_-./:$eE\"'", "pP", "aA", "sS"},  // DB_PASS, db.pass, requirepass, "pass"
    {kLowerCase, "P", "a", "s"},        // dbPass
    {"pP", "wW", "dD", ""},
    {"sS", "eE", "cC", "rR"},
    {"tT", "oO", "kK", "eE"},
    {"cC[", "rR", "eE", "dD"},  // credential; [REDACTED:
    {"aA", "uU", "tT", "hH"},
    {"_-./:$ iItTsSeE", "kK", "eE",
     "yY"},                       // api_key, api.key, apikey, secretkey, accesskey, privatekey
    {kLowerCase, "K", "e", "y"},  // apiKey
    {"cC", "oO", "oO", "kK"},
    {"jJ", "wW", "tT", ""},
    {"\"' {,\n", "pP", "iI", "nN"},         // only as a whole key
    {"\"' {,\n_", "oOpP", "tTsS", "pPkK"},  // otp, psk
    {"?&-_", "sSP", "iIA", "gGT"},          // sig, X-Amz-Signature, _PAT
}};
static_assert(kFirstKeywordBit + kKeywords.size() <= 62);  // bit 62 is kBasicAnchor
static_assert(std::is_sorted(kTokenShapes.begin(), kTokenShapes.end(),
                             [](const TokenShape& a, const TokenShape& b) {
                               return a.anchor() < b.anchor();
                             }));

// Lets the anchors of the mask `bit` have the byte `c` at `place`, 0 to 3.
constexpr void allow(AnchorTables& tables, std::size_t place, char c, std::uint64_t bit) {
  tables.at[place][static_cast<unsigned char>(c)] |= bit;
}

constexpr void allow_any(AnchorTables& tables, std::size_t place, std::uint64_t bit) {
  for (std::uint64_t& mask : tables.at[place]) mask |= bit;
}

constexpr void add_anchor(AnchorTables& tables, const Sets& sets, std::uint64_t bit) {
  for (std::size_t place = 0; place < sets.size(); ++place) {
    if (sets[place].empty()) allow_any(tables, place, bit);
    for (const char c : sets[place]) allow(tables, place, c, bit);
  }
}

// Adds the first four bytes of `text`. If it is shorter, the places after it allow the bytes of the
// classes `rest` (chars.h); 0: any byte.
constexpr void add_anchor(AnchorTables& tables, std::string_view text, std::uint64_t bit,
                          int rest = 0) {
  for (std::size_t place = text.size(); place < 4 && rest != 0; ++place) {
    for (int c = 0; c < 256; ++c) {
      if (is(static_cast<char>(c), rest)) allow(tables, place, static_cast<char>(c), bit);
    }
  }
  if (rest != 0) {
    for (std::size_t place = 0; place < 4 && place < text.size(); ++place) {
      allow(tables, place, text[place], bit);
    }
    return;
  }
  Sets sets;
  for (std::size_t place = 0; place < sets.size() && place < text.size(); ++place) {
    sets[place] = text.substr(place, 1);
  }
  add_anchor(tables, sets, bit);
}

// For each of the 64 anchors, its bit among the 16 of the sieve. Any mapping is correct, because
// the exact tables check what the sieve passes. This one was found by a search over recorded
// answers and prose: it passes one position in 128; a mapping in the order of the anchors passes
// one in 4. The anchors for personal data and extra keys (bits 43, 44 and 63), which are used only
// if the policy asks for them, share one bit: they pass many positions in any mapping.
constexpr std::array<std::uint8_t, 64> kSieveBits = {
    0,  7,  2,  1,  4, 4,  4,  4,  4,  4,  4,  4,  4, 4, 5,  5, 5,  5, 5,  6, 6, 12,
    12, 9,  10, 11, 1, 10, 9,  12, 13, 13, 0,  14, 0, 0, 0,  2, 13, 7, 1,  0, 3, 6,
    6,  15, 15, 15, 3, 3,  15, 8,  3,  6,  13, 3,  3, 1, 15, 8, 8,  6, 10, 6};

// The mask of the sieve bits of a mask of anchors.
constexpr unsigned sieve_bits(std::uint64_t anchors) {
  unsigned bits = 0;
  for (std::size_t anchor = 0; anchor < kSieveBits.size(); ++anchor) {
    if ((anchors >> anchor & 1) != 0) bits |= 1U << kSieveBits[anchor];
  }
  return bits;
}

// Fills the sieve from the exact tables.
constexpr AnchorTables with_sieve(AnchorTables tables) {
  for (std::size_t place = 0; place < 4; ++place) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const unsigned bits = sieve_bits(tables.at[place][byte]);
      for (std::size_t table = 0; table < 2; ++table) {
        const auto bits_of_table = static_cast<std::uint8_t>(bits >> (8 * table) & 0xFF);
        tables.sieve[table][place].low[byte % 16] |= bits_of_table;
        tables.sieve[table][place].high[byte / 16] |= bits_of_table;
      }
    }
  }
  return tables;
}

// Hidden characters and terminal codes.
constexpr void add_hidden(AnchorTables& tables) {
  add_anchor(
      tables,
      {"\xE2\xEF", "\x80\xBB\xBF", "\x8B\x8C\x8D\x8E\x8F\xAA\xAB\xAC\xAD\xAE\xB9\xBA\xBB\xBF", ""},
      kHiddenCharacter);
  add_anchor(tables, {"\x1B\xC2\xE2\xEF", "[\x81\xAD\xB8\xBE\xBF", "", ""}, kColourCode);
  add_anchor(tables, {"\xCD\xD8\xF0\xF3", "\x8F\x9B\x9C\x9D\xA0", "", ""}, kTildeMark);
  add_anchor(tables, {"\xE1\xE3", "\x85\x9E\xA0", "\x8B\x8C\x8D\x8E\x8F\x9F\xA0\xA4\xB4\xB5", ""},
             kHashAnchor);
}

// What keeps all matchers from finding a secret: what is hidden, and the escapes that
// is_nested_escape checks: `\u00`, `\u20`, `\ufe`, `\udb`, `:\/`, `:\\`.
constexpr AnchorTables obstacles_only() {
  AnchorTables tables;
  add_hidden(tables);
  add_anchor(tables, {"\\:", "u\\", "0123dDfF/\\", "0134678bBeEfF/\\"}, kNestedEscape);
  return tables;
}

// Assigns the kPrefixBits bits to the anchors of token prefixes. Each kind of anchor has its own
// bits, so that the bytes that one bit allows have few combinations in ordinary text.
class PrefixBits {
 public:
  /// The mask of the anchor's bit. Anchors must be passed in the order of kTokenShapes: anchors in
  /// sequence with the same first two bytes share a bit.
  constexpr std::uint64_t next(std::string_view anchor) {
    Range& range = ranges_[kind_of(anchor)];
    const std::string_view start = anchor.substr(0, 2);
    if (start != range.last_start) range.current = (range.current + 1) % range.count;
    range.last_start = start;
    return std::uint64_t{1} << (range.first_bit + range.current);
  }

 private:
  /// The index in `ranges_`.
  static constexpr std::size_t kind_of(std::string_view anchor) {
    const char first = anchor.front();
    const char last = anchor.back();
    if (anchor.size() < 4) {
      if (is(first, kUpper)) return 0;
      return last == '_' ? 1 : last == '-' || last == '.' ? 2 : 3;
    }
    if (last == '_') return 4;
    if (last == '-') return 5;
    if (last == '.') return 6;
    if (first == 'A') return 7;
    return is(first, kUpper) ? 8 : is(first, kLower) ? 9 : 10;
  }

  /// Bits of one kind of anchor, assigned in turn.
  struct Range {
    unsigned first_bit;
    unsigned count;
    unsigned current;             // of the last anchor, counted from first_bit
    std::string_view last_start;  // the first two bytes of the last anchor; empty: none yet
  };
  std::array<Range, 11> ranges_{{{0, 1, 0, ""},
                                 {1, 1, 0, ""},
                                 {2, 1, 0, ""},
                                 {3, 1, 0, ""},
                                 {4, 10, 0, ""},
                                 {14, 5, 0, ""},
                                 {19, 2, 0, ""},
                                 {21, 2, 0, ""},
                                 {23, 1, 0, ""},
                                 {24, 1, 0, ""},
                                 {25, 1, 0, ""}}};
};
static_assert(kPrefixBits == 26);

constexpr AnchorTables credentials() {
  AnchorTables tables = obstacles_only();
  PrefixBits prefix_bits;
  for (const TokenShape& shape : kTokenShapes) {
    add_anchor(tables, shape.anchor(), prefix_bits.next(shape.anchor()), shape.classes);
  }
  add_anchor(tables, {":", "56*", "4:", "3*abcdefghijklmnopqrstuvwxyz"}, kPgpassAnchor);
  add_anchor(tables, {"iI", "dD", "eE", "nN"}, kIdentifiedAnchor);
  add_anchor(tables, {"MNO", "DTjz", "AEIMQUYcgk", "wxyz012345"}, kDiscordAnchor);
  add_anchor(tables, {"$", "1256y7ag", "$abxyrp", ""}, kHashAnchor);
  add_anchor(tables, {" \t", "-", "aApPuUwX", ""}, kShortOption);
  add_anchor(tables, {"-", "-", "up", "sr"}, kLongOption);
  for (const MarkedShape& shape : kMarkedShapes) {
    const bool tilde = shape.mark.size() < 3;  // `Q~`, the only mark of two bytes
    add_anchor(tables, shape.mark, tilde ? kTildeMark : kWordMark, tilde ? 0 : shape.classes_after);
  }
  add_anchor(tables, "@tcp", kWordMark);
  add_anchor(tables, "://", kUrlAnchor);
  add_anchor(tables, "eyJ", kJwtAnchor);
  add_anchor(tables, "BEGI", kPemAnchor);
  add_anchor(tables, "LS0t", kPemAnchor);
  add_anchor(tables, {"bB", "eE", "aA", "rR"}, kBearerAnchor);
  add_anchor(tables, {"bB", "aA", "sS", "iI"}, kBasicAnchor);
  add_anchor(tables, ":AA", kBotAnchor);
  add_anchor(tables, "hook", kHookAnchor);
  std::uint64_t bit = std::uint64_t{1} << kFirstKeywordBit;
  for (const Sets& sets : kKeywords) {
    add_anchor(tables, sets, bit);
    bit <<= 1;
  }
  return tables;
}

void add_personal(AnchorTables& tables) {
  add_anchor(tables, {"0123456789+(", "", "", ""}, kDigitAnchor);
  add_anchor(tables, "@", kEmailAnchor);
  add_anchor(tables, {"sS", "sS", "nN", ""}, kExtraKeyBit);
  add_anchor(tables, {"sS", "oO", "cC", "iI"}, kExtraKeyBit);
  add_anchor(tables, {"cC", "aArR", "rReE", "dD"}, kExtraKeyBit);
}

// Adds an extra key of the policy. Every spelling of the name must pass: after the first place each
// place also allows separators, and the earlier bytes of the name, which separators shift there.
void add_extra_key(AnchorTables& tables, const std::string& name) {
  const std::string normal = normal_key(name);
  if (normal.empty()) return;
  std::string allowed;
  for (std::size_t place = 0; place < 4; ++place) {
    const auto c = static_cast<unsigned char>(byte(normal, place));
    // The name ends here, or JSON may escape the byte: any byte is allowed from here on.
    if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\' || c == '/') {
      if (place == 0) {
        allow(tables, 0, '\\', kExtraKeyBit);
        allow(tables, 0, static_cast<char>(c), kExtraKeyBit);
        place = 1;
      }
      for (; place < 4; ++place) allow_any(tables, place, kExtraKeyBit);
      return;
    }
    if (place == 1) allowed = "_-. :$";
    allowed.push_back(static_cast<char>(c));
    if (is(static_cast<char>(c), kLower)) allowed.push_back(static_cast<char>(c & ~32U));
    for (const char each : allowed) allow(tables, place, each, kExtraKeyBit);
  }
}

}  // namespace

bool is_nested_escape(std::string_view text, std::size_t at) {
  if (byte(text, at) == ':') return byte(text, at + 1) == '\\';
  const char high = byte(text, at + 4);
  if (text.substr(at, 4) == "\\u00" && high >= '0' && high <= '7') return true;
  return hidden_escape_length(text, at + 1) != 0;
}

constinit const AnchorTables kCredentials = with_sieve(credentials());
constinit const AnchorTables kObstaclesOnly = with_sieve(obstacles_only());

void Prefilter::extend(const Policy& policy) {
  policy_tables_ = std::make_unique<AnchorTables>(*tables_);
  if (policy.personal_data) add_personal(*policy_tables_);
  for (const std::string& key : policy.extra_keys) add_extra_key(*policy_tables_, key);
  *policy_tables_ = with_sieve(*policy_tables_);
  tables_ = policy_tables_.get();
}

bool Prefilter::passes(std::string_view text) const {
  return Candidates(*this, text).next(0).at < text.size();
}

}  // namespace enfold::redact::detail
