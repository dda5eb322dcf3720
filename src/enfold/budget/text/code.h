// SPDX-License-Identifier: Apache-2.0
// Lines of source code, without strings and comments that go over several lines.
#pragma once

#include "enfold/budget/text/lines.h"

#include <optional>

namespace enfold::budget::text {

/// How the language of a text writes comments.
enum class Comments : std::uint8_t { hash, slash, dash };
[[nodiscard]] Comments comments_of(const Sample& sample);

struct CodeLine {
  std::string_view code;                    ///< without blanks around it and the comment behind it
  std::optional<std::string_view> comment;  ///< behind its mark, without blanks before it
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
  [[nodiscard]] std::size_t skip_string(std::string_view line, std::size_t at);

  Comments comments_;
  std::string_view open_;     ///< what ends the string or comment that is open; empty: none
  std::size_t brackets_ = 0;  ///< that are open
};

/// The beginning of a definition: "async def name(", "pub fn name<T>(", "class Name(Base):".
struct Definition {
  std::string_view keyword;  ///< "def", "class", "fn" …
  std::string_view name;
  std::string_view behind;  ///< the name: "(Base):"
  bool is_async = false;
};
[[nodiscard]] std::optional<Definition> definition_of(std::string_view code);

}  // namespace enfold::budget::text
