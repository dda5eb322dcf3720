// SPDX-License-Identifier: Apache-2.0
// Names of members and tools as words: `next_page_token`, `nextPageToken` and `next-page-token` are
// the same three words.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::contract::detail {

/// Letters and digits in lower case: "nextpagetoken".
[[nodiscard]] std::string plain(std::string_view name);

/// plain() of a name, stored without an allocation if it is short, as nearly all member names are.
class PlainName {
 public:
  explicit PlainName(std::string_view name);
  PlainName(const PlainName&) = delete;
  PlainName& operator=(const PlainName&) = delete;
  [[nodiscard]] std::string_view view() const { return view_; }

 private:
  std::array<char, 48> short_;  // NOLINT: filled as far as it is used
  std::string long_;
  std::string_view view_;
};

/// The words of a name in lower case: next, page, token. At least one. The last word is empty if
/// the name is empty or ends in a character that is no ASCII letter or digit.
[[nodiscard]] std::vector<std::string> words_of(std::string_view name);

/// Whether `list`, words separated by spaces, has this word.
[[nodiscard]] bool has_word(std::string_view list, std::string_view word);

/// Words separated by spaces, as a template argument of has_word and WordTable.
template <std::size_t bytes>
struct WordText {
  char text[bytes]{};
  consteval WordText(const char (&words)[bytes]) { std::copy_n(words, bytes, text); }  // NOLINT
  [[nodiscard]] constexpr std::string_view view() const { return {text, bytes - 1}; }
};

/// The words of a WordText, sorted. Every member of every answer is looked up in several lists, so
/// one bit per hash value ends most lookups of words that are not in the list.
template <WordText list>
class WordTable {
 public:
  [[nodiscard]] static constexpr bool has(std::string_view word) {
    return ((kBits[hash(word) / 64] >> (hash(word) % 64)) & 1U) != 0 &&
           std::binary_search(kWords.begin(), kWords.end(), word);
  }

 private:
  static constexpr std::size_t kBuckets = list.view().size() > 500 ? 4096 : 512;

  static constexpr std::size_t hash(std::string_view word) {
    if (word.empty()) return 0;
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(word[i]); };
    const std::size_t size = word.size();
    return (size * 7 + at(0) * 131U + at(size / 2) * 37U + at(size - 1) * 5U) % kBuckets;
  }
  static constexpr auto kWords = [] {
    std::array<std::string_view, std::ranges::count(list.view(), ' ') + 1> words;
    std::string_view rest = list.view();
    for (std::string_view& word : words) {
      // Not rest.find(): with -fsanitize=undefined, g++ 12 has no constant for its check of a
      // pointer.
      const auto end = std::ranges::find(rest, ' ');
      word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
    std::ranges::sort(words);
    return words;
  }();
  static constexpr auto kBits = [] {
    std::array<std::uint64_t, kBuckets / 64> bits{};
    for (const std::string_view word : kWords) {
      bits[hash(word) / 64] |= std::uint64_t{1} << (hash(word) % 64);
    }
    return bits;
  }();
};

template <WordText list>
[[nodiscard]] constexpr bool has_word(std::string_view word) {
  return WordTable<list>::has(word);
}

/// The lowest position in `text` at which one of `phrases`, separated by '|', begins; npos: none
/// occurs. A '*' in a phrase matches up to 60 bytes: "token*expired".
[[nodiscard]] std::size_t first_of(std::string_view text, std::string_view phrases);

/// Whether one of `phrases`, separated by '|', occurs in `text`.
[[nodiscard]] bool holds_any(std::string_view text, std::string_view phrases);

/// What the first verb in a tool's name says about its answer: get_deleted_messages is no action.
enum class Verb {
  none,    ///< no verb, or one that says nothing (get, fetch, show)
  list,    ///< the answer is a list
  search,  ///< the answer is a list if there is a list in it
  run,     ///< run, execute, call, sql: the answer may be anything
  action,  ///< create, update, delete, send …: the answer reports what was done
};
[[nodiscard]] Verb verb_of(std::string_view tool);

/// Whether the name says that the tool only reads: get, describe, list, search. False without a
/// name.
[[nodiscard]] bool reads_only(std::string_view tool);

/// Whether one of the words of a tool's name is in `list`, words separated by spaces.
[[nodiscard]] bool names_one_of(std::string_view tool, std::string_view list);

}  // namespace enfold::contract::detail
