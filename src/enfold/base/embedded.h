// SPDX-License-Identifier: Apache-2.0
// A file that is part of the program: cmake/embed.cmake writes functions that return these.
#pragma once

#include <span>
#include <string_view>

namespace enfold {

struct EmbeddedFile {
  std::string_view name;  ///< without folders
  std::string_view text;
};

}  // namespace enfold
