// SPDX-License-Identifier: Apache-2.0
// Text in the man(7) macros, as mandoc and groff read them.
#pragma once

#include <string>
#include <string_view>

namespace enfold::cli::roff {

/// Text without meaning to roff. A hyphen stays one that can be copied.
[[nodiscard]] std::string escaped(std::string_view text);
/// The same in lines of at most 78 bytes, for text that roff fills.
[[nodiscard]] std::string filled(std::string_view text);
[[nodiscard]] std::string bold(std::string_view text);
[[nodiscard]] std::string italic(std::string_view text);

struct PageTitle {
  std::string name;
  int section = 1;
  std::string summary;
  std::string date;  ///< "2026-11-18"
  std::string version;
};
[[nodiscard]] std::string head(const PageTitle& title);

/// With its heading; empty if the body is.
[[nodiscard]] std::string section(std::string_view heading, const std::string& body);

}  // namespace enfold::cli::roff
