// SPDX-License-Identifier: Apache-2.0
// Lines of source code, without strings and comments that go over several lines.
#pragma once

#include "enfold/budget/text/lines.h"

#include <optional>

namespace enfold::budget::text {

/// How the language of a text begins comments: "#", "//" (and "/*"), or "--".
enum class Comments : std::uint8_t { hash, slash, dash };
[[nodiscard]] Comments comments_of(const Sample& sample);

struct CodeLine {
  std::string_view code;                    ///< without blanks around it and the comment after it
  std::optional<std::string_view> comment;  ///< its text after the mark; nullopt: no comment begins
  std::size_t indent = 0;                   ///< blanks before the code
  bool continues = false;  ///< begins in a string, a comment or a bracket of an earlier line
};

/// Reads the lines of a text in their order.
class CodeReader {
 public:
  explicit CodeReader(Comments comments) : comments_(comments) {}
  [[nodiscard]] CodeLine read(std::string_view line);

 private:
  [[nodiscard]] bool begins_comment(std::string_view rest) const;
  /// The offset after the string that begins at `at`, on this line. Sets `open_` if the string may
  /// end on a later line.
  [[nodiscard]] std::size_t skip_string(std::string_view line, std::size_t at);

  Comments comments_;
  std::string_view open_;     ///< what ends the string or comment that is open; empty: none
  std::size_t brackets_ = 0;  ///< how many brackets are open
};

/// The beginning of a definition: "async def name(", "pub fn name<T>(", "class Name(Base):".
struct Definition {
  std::string_view keyword;  ///< "def", "class", "fn" …
  std::string_view name;
  std::string_view after_name;  ///< the rest of the line: "(Base):"
  bool is_async = false;
};
/// nullopt: the line of code begins none.
[[nodiscard]] std::optional<Definition> definition_of(std::string_view code);

}  // namespace enfold::budget::text
