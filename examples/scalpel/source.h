// SPDX-License-Identifier: Apache-2.0
// A source file and its tokens. The tokeniser knows enough of five languages to tell code from
// comments and text, which is what all tools stand on; it does not parse.
#pragma once

#include "enfold/model/response.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalpel {

enum class Language { python, javascript, typescript, cpp, go };

/// By the ending of the file's name.
[[nodiscard]] std::optional<Language> language_of(std::string_view path);

/// JavaScript, and TypeScript, which is JavaScript with types.
[[nodiscard]] constexpr bool is_script(Language language) {
  return language == Language::javascript || language == Language::typescript;
}

struct Token {
  enum class Kind {
    word,  ///< names and keywords
    number,
    text,           ///< a string literal; `spelled` is what stands between its quotes
    template_text,  ///< a string literal with values put into it
    mark,           ///< punctuation, up to two characters
  };
  Kind kind;
  std::string_view spelled;
  std::size_t begin;  ///< bytes into the text, quotes included
  std::size_t end;
  std::size_t line;  ///< from 1, of the first byte
  std::size_t last_line;
  std::size_t closed_by = 0;  ///< of an opening bracket; 0: nothing closes it

  [[nodiscard]] bool is(std::string_view other) const {
    return (kind == Kind::word || kind == Kind::mark) && spelled == other;
  }
};

/// Comments are left out. The tokens look into `text`.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view text, Language language);

/// Lines without their ends; they look into `text`.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// Whether no token before stands on the same line.
[[nodiscard]] bool is_first_on_line(const std::vector<Token>& tokens, std::size_t index);

/// Index of the bracket that closes the one at `open`; the number of tokens when none does.
[[nodiscard]] std::size_t closing_of(const std::vector<Token>& tokens, std::size_t open);

}  // namespace scalpel

template <>
struct enfold::model::Names<scalpel::Language> {
  static constexpr std::array<std::string_view, 5> values{"python", "javascript", "typescript",
                                                          "cpp", "go"};
};
