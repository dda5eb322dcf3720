// SPDX-License-Identifier: Apache-2.0
// Writes roff text with the man(7) macros, as mandoc and groff read it.
#pragma once

#include <string>
#include <string_view>

namespace enfold::cli::roff {

/// The text, escaped so that roff prints it as it is. A hyphen becomes \-, which prints as ASCII,
/// so that options can be copied.
[[nodiscard]] std::string escaped(std::string_view text);
/// The escaped text with white space joined and lines of at most 78 bytes, for text that roff
/// fills.
[[nodiscard]] std::string filled(std::string_view text);
[[nodiscard]] std::string bold(std::string_view text);
[[nodiscard]] std::string italic(std::string_view text);

struct PageTitle {
  std::string name;
  int section = 1;  ///< of the manual
  std::string summary;
  std::string date;  ///< "2026-11-18"
  std::string version;
};
/// The begin of a page, up to the section NAME.
[[nodiscard]] std::string head(const PageTitle& title);

/// A section with its heading; empty if `body` is empty. `body`: roff text.
[[nodiscard]] std::string section(std::string_view heading, const std::string& body);

}  // namespace enfold::cli::roff
