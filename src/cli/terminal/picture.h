// SPDX-License-Identifier: Apache-2.0
// Writes a picture of one answer, before and after it was fitted, as one HTML file that loads no
// other file.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/answer/view/view.h"

namespace enfold::cli {

/// `file`: where to write; "-" is standard output. Fails if the program was built without the web
/// page, or if the file cannot be written.
[[nodiscard]] Status write_picture(const std::string& file, const answer::View& view,
                                   Terminal& terminal);

}  // namespace enfold::cli
