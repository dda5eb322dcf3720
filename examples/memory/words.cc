// SPDX-License-Identifier: Apache-2.0
#include "words.h"

#include "enfold/base/text.h"

#include <algorithm>

namespace memory {
namespace {

namespace utf8 = enfold::utf8;

constexpr std::size_t kIndexed = 3;  // characters of an entry of the index

// In FTS5 a text in quotes is looked for as it is; an empty one is found nowhere.
constexpr const char* kNothing = "\"\"";

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

void add(std::string& expression, std::string_view word, std::string_view between) {
  if (!expression.empty()) expression += between;
  expression += quoted(word);
}

bool is_between(std::uint32_t c, std::uint32_t first, std::uint32_t last) {
  return c >= first && c <= last;
}

bool is_letter(std::uint32_t c) {
  if (c < 0x80) return enfold::is_alphanumeric(static_cast<char>(c));
  const bool is_punctuation = is_between(c, 0x80, 0xBF) || is_between(c, 0x2000, 0x206F) ||
                              is_between(c, 0x3000, 0x3004) || is_between(c, 0x3008, 0x3020) ||
                              c == 0x30FB || is_between(c, 0xFF5F, 0xFF65) || c == 0x060C ||
                              c == 0x061B || c == 0x061F || c == 0x0964;
  return !is_punctuation;
}

// Thai, Lao, Myanmar, Khmer, kana and Chinese characters.
bool is_unspaced(std::uint32_t c) {
  return is_between(c, 0x0E00, 0x0EFF) || is_between(c, 0x1000, 0x109F) ||
         is_between(c, 0x1780, 0x17FF) || is_between(c, 0x3040, 0x30FF) ||
         is_between(c, 0x3400, 0x9FFF) || is_between(c, 0xF900, 0xFAFF) ||
         is_between(c, 0x20000, 0x3FFFF);
}

// Without the punctuation of a sentence around it: "tea?" means tea, but C++ stays C++.
std::string_view bare(std::string_view word) {
  constexpr std::string_view kAscii = ".,;:!?\"'()[]{}<>";
  for (const std::string_view mark : {"。", "、", "「", "」", "『", "』", "・", "،", "؟", "“",
                                      "”",  "„",  "«",  "»",  "‘",  "’",  "…",  "¿", "¡", "।"}) {
    while (word.starts_with(mark)) word.remove_prefix(mark.size());
    while (word.ends_with(mark)) word.remove_suffix(mark.size());
  }
  return enfold::trimmed(word, kAscii);
}

std::vector<std::string_view> split(std::string_view folded) {
  std::vector<std::string_view> words;
  while (!folded.empty()) {
    const std::size_t end = std::min(folded.find(' '), folded.size());
    if (const auto word = bare(folded.substr(0, end)); !word.empty()) words.push_back(word);
    folded.remove_prefix(std::min(end + 1, folded.size()));
  }
  return words;
}

struct Word {
  std::vector<std::string> characters;
  bool is_unspaced = false;

  [[nodiscard]] std::string text(std::size_t begin, std::size_t count) const {
    std::string out;
    for (std::size_t i = begin; i < begin + count; ++i) out += characters[i];
    return out;
  }
};

void add_pieces(const Word& word, Pieces& pieces) {
  const std::size_t size = word.characters.size();
  if (size < kIndexed) return;
  if (!word.is_unspaced) {
    pieces.insert(word.text(0, size));
    return;
  }
  for (std::size_t i = 0; i + kIndexed <= size; ++i) pieces.insert(word.text(i, kIndexed));
}

}  // namespace

Query query_of(std::string_view folded, Match match) {
  Query query{.needed = 0};
  std::vector<std::string_view> words = split(folded);
  if (match == Match::phrase && !words.empty()) words = {bare(enfold::trimmed(folded))};
  const std::string_view between = match == Match::any ? " OR " : " AND ";
  for (const std::string_view word : words) {
    add(query.whole, word, between);
    if (utf8::length(word) >= kIndexed) {
      add(query.indexed, word, between);
    } else if (std::ranges::find(query.short_words, word) == query.short_words.end()) {
      query.short_words.emplace_back(word);
    }
  }
  const std::size_t parts = query.short_words.size() + (query.indexed.empty() ? 0 : 1);
  query.needed =
      static_cast<std::int64_t>(match == Match::any ? std::min<std::size_t>(parts, 1) : parts);
  if (query.indexed.empty()) query.indexed = kNothing;
  return query;
}

Pieces pieces_of(std::string_view folded) {
  Pieces pieces;
  Word word;
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = utf8::next(folded, at);
    if (is_letter(c)) {
      word.characters.emplace_back(folded.substr(begin, at - begin));
      word.is_unspaced = word.is_unspaced || is_unspaced(c);
    } else {
      add_pieces(word, pieces);
      word = {};
    }
  }
  add_pieces(word, pieces);
  return pieces;
}

std::string any_of(const Pieces& pieces, std::size_t limit) {
  std::string expression;
  for (const std::string& piece : pieces) {
    if (limit-- == 0) break;
    add(expression, piece, " OR ");
  }
  return expression.empty() ? kNothing : expression;
}

double similarity(const Pieces& a, const Pieces& b) {
  std::size_t shared = 0;
  for (const std::string& piece : a) shared += b.count(piece);
  const std::size_t all = a.size() + b.size() - shared;
  return all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

}  // namespace memory
