// SPDX-License-Identifier: Apache-2.0
// Files embedded in the program; cmake/embed.cmake generates the functions that return them.
#pragma once

#include <span>
#include <string_view>

namespace enfold {

struct EmbeddedFile {
  std::string_view name;  ///< of the file in the source tree, without folders
  std::string_view text;  ///< its content
};

}  // namespace enfold
