// SPDX-License-Identifier: Apache-2.0
// The command that starts this program from the settings of any client and is still right after an
// upgrade of Enfold.
#pragma once

#include "enfold/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace enfold::cli {

/// The words to write before `wrap --`. `option`: the value of --program, "enfold" or a path;
/// empty: this program. For this program, the word is "enfold" if it is in a folder of every
/// session's PATH, such as /usr/bin; else the path that PATH finds, which may be a link; else its
/// own path. For a program that npm installed, it is npm's link, because npm removes and renames
/// its folders; npx starts a program without a link. `invalid_input` if the program has another
/// name than enfold: --unwrap would not recognise it.
[[nodiscard]] Result<std::vector<std::string>> command_to_write(const std::string& option);

/// The path of the first program enfold in PATH; empty: there is none.
[[nodiscard]] std::filesystem::path program_in_path();

/// The link that npm made for a program of its package, and keeps when it updates the package: in
/// `node_modules/.bin`, or in the folder `bin` of a global installation. Empty: there is none.
[[nodiscard]] std::filesystem::path npm_link(const std::filesystem::path& program);

/// Whether npm manages the folder of a program.
[[nodiscard]] bool is_of_npm(const std::filesystem::path& program);

}  // namespace enfold::cli
