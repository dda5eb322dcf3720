// SPDX-License-Identifier: Apache-2.0
#include "folding.h"

#include "enfold/base/text.h"

#include <array>
#include <sqlite3.h>

namespace memory {
namespace {

namespace utf8 = enfold::utf8;

constexpr std::uint32_t kFullWidthFirst = 0xFF01;  // ！ to ～ are ! to ~ in the width of a kanji
constexpr std::uint32_t kFullWidthLast = 0xFF5E;
constexpr std::uint32_t kFullWidthOffset = 0xFEE0;

bool is_between(std::uint32_t c, std::uint32_t first, std::uint32_t last) {
  return c >= first && c <= last;
}

bool is_space(std::uint32_t c) {
  return c <= 0x20 || c == 0x7F || c == 0xA0 || c == 0x1680 || is_between(c, 0x2000, 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Marks that people leave out: combining accents, Arabic vowels and tatweel, Hebrew points; and
// characters without a look of their own: soft hyphen, zero-width space, variation selectors.
bool is_left_out(std::uint32_t c) {
  return is_between(c, 0x0300, 0x036F) || is_between(c, 0x064B, 0x065F) || c == 0x0670 ||
         c == 0x0640 || is_between(c, 0x0591, 0x05BD) || c == 0xAD || c == 0x200B ||
         is_between(c, 0xFE00, 0xFE0F);
}

// Letters that people type in a simpler form, and that SQLite does not fold.
std::uint32_t simple_letter(std::uint32_t c) {
  constexpr std::array<std::array<char32_t, 2>, 27> kLetters{{
      {U'Ά', U'α'}, {U'Έ', U'ε'}, {U'Ή', U'η'}, {U'Ί', U'ι'}, {U'Ό', U'ο'}, {U'Ύ', U'υ'},
      {U'Ώ', U'ω'}, {U'ΐ', U'ι'}, {U'ά', U'α'}, {U'έ', U'ε'}, {U'ή', U'η'}, {U'ί', U'ι'},
      {U'ΰ', U'υ'}, {U'ϊ', U'ι'}, {U'ϋ', U'υ'}, {U'ό', U'ο'}, {U'ύ', U'υ'}, {U'ώ', U'ω'},
      {U'ς', U'σ'}, {U'Ё', U'е'}, {U'ё', U'е'}, {U'آ', U'ا'}, {U'أ', U'ا'}, {U'إ', U'ا'},
      {U'ٱ', U'ا'}, {U'ى', U'ي'}, {U'ة', U'ه'},
  }};
  for (const auto& [letter, simple] : kLetters) {
    if (letter == c) return simple;
  }
  return c;
}

std::string without_marks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t c = utf8::next(text, at);
    if (is_space(c)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else if (is_between(c, kFullWidthFirst, kFullWidthLast)) {
      utf8::append(out, c - kFullWidthOffset);
    } else if (!is_left_out(c)) {
      utf8::append(out, simple_letter(c));
    }
  }
  return out;
}

fts5_api* text_index_of(sqlite3* database) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}

/// The text so far; the tokenizer tells words only, and what is between them is copied.
struct Folded {
  std::string_view text;
  std::string out;
  std::size_t copied = 0;

  void copy_until(std::size_t end) {
    out += text.substr(copied, end - copied);
    copied = end;
  }
};

int add_word(void* context, int /*flags*/, const char* word, int size, int begin, int end) {
  auto& folded = *static_cast<Folded*>(context);
  folded.copy_until(static_cast<std::size_t>(begin));
  folded.out.append(word, static_cast<std::size_t>(size));
  folded.copied = static_cast<std::size_t>(end);
  return SQLITE_OK;
}

}  // namespace

struct Folding::Tokenizer {
  fts5_tokenizer functions{};
  Fts5Tokenizer* self = nullptr;

  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;
  ~Tokenizer() {
    if (self != nullptr) functions.xDelete(self);
  }
};

enfold::Result<Folding> Folding::of(sqlite3* database) {
  auto tokenizer = std::make_shared<Tokenizer>();
  std::array<const char*, 2> options{"remove_diacritics", "2"};
  void* context = nullptr;
  fts5_api* api = text_index_of(database);
  const bool is_made =
      api != nullptr &&
      api->xFindTokenizer(api, "unicode61", &context, &tokenizer->functions) == SQLITE_OK &&
      tokenizer->functions.xCreate(context, options.data(), static_cast<int>(options.size()),
                                   &tokenizer->self) == SQLITE_OK;
  if (is_made) return Folding(std::move(tokenizer));
  return enfold::fail(enfold::ErrorCode::unsupported, "expected SQLite with FTS5, found none");
}

std::string Folding::fold(std::string_view text) const {
  const std::string plain = without_marks(text);
  Folded folded{.text = plain};
  const int result =
      tokenizer_->functions.xTokenize(tokenizer_->self, &folded, FTS5_TOKENIZE_DOCUMENT,
                                      plain.data(), static_cast<int>(plain.size()), add_word);
  if (result != SQLITE_OK) return plain;
  folded.copy_until(plain.size());
  return std::move(folded.out);
}

}  // namespace memory
