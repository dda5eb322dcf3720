// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "enfold/model/response.h"

#include <fmt/core.h>
#include <string>

namespace enfold::cli {

/// How the next page is asked for: " with the cursor abc"; empty if the page does not say.
[[nodiscard]] inline std::string next_page(const model::Page& page) {
  if (page.cursor) return fmt::format(" with the cursor {}", *page.cursor);
  if (page.next_offset) return fmt::format(" from {}", page.next_offset->text);
  if (page.after) return fmt::format(" with after {}", *page.after);
  if (page.before) return fmt::format(" with before {}", *page.before);
  return "";
}

}  // namespace enfold::cli
