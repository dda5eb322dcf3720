// SPDX-License-Identifier: Apache-2.0
// Says how to call a tool again to get its next page.
#pragma once

#include "enfold/model/response.h"

#include <fmt/core.h>
#include <string>

namespace enfold::cli {

/// The text with escaped line feeds and carriage returns: a text of the server must not look like a
/// line of the program.
[[nodiscard]] inline std::string on_one_line(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("\r\n", at)) != std::string::npos;) {
    text.replace(at, 1, text[at] == '\n' ? "\\n" : "\\r");
  }
  return text;
}

/// The end of "call the tool again": " with the cursor abc"; empty if the page has no cursor and no
/// offset of the next page.
[[nodiscard]] inline std::string next_page(const model::Page& page) {
  if (page.cursor) return fmt::format(" with the cursor {}", on_one_line(*page.cursor));
  if (page.next_offset) return fmt::format(" from {}", on_one_line(page.next_offset->text));
  if (page.after) return fmt::format(" with after {}", on_one_line(*page.after));
  if (page.before) return fmt::format(" with before {}", on_one_line(*page.before));
  return "";
}

}  // namespace enfold::cli
